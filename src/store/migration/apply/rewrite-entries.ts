/** Rewrites the component entries in the database for the next model; edges of removed entries become backups. */
import { isDeepStrictEqual } from 'node:util'
import { type EntriesAttribute, holdsEntries } from '../../../model/model.ts'
import { sql } from '../../sql.ts'
import { columnOf } from '../../tables/layout.ts'
import { replaceText } from '../../tables/rebuild-served.ts'
import { collectEntryIds, createEntryRewriter, type EntryRewriter } from '../entries/entry-rewriter.ts'
import { parseEntries, readFilledRows } from '../inspect/affected-rows.ts'
import type { EntryImpacts } from '../inspect/inspect-entries.ts'
import type { Change, MatchedType } from '../plan/change.ts'
import { matchAttributes } from '../plan/match-models.ts'
import { backUpEdges } from './back-up-edges.ts'
import { copyToBackup } from './columns.ts'
import type { MigrationRun } from './migration-run.ts'

/** Columns already have their new names. */
export async function rewriteEntries(
  run: MigrationRun,
  changes: readonly Change[],
  entryImpacts: EntryImpacts,
) {
  const rewriter = createEntryRewriter(run.transition, changes)
  for (const on of run.transition.types) {
    for (const { previous, next } of matchAttributes(on).matched) {
      if (!holdsEntries(previous) || !holdsEntries(next) || !rewriter.mayChange(previous, next)) continue
      if (entryImpacts.isLossy(on.previous.table, previous.name)) {
        copyToBackup(run, on, next, run.dialect.jsonType)
      }
      await rewriteColumn(run, on, previous, next, rewriter)
    }
  }
}

/** Identifies a stored entry: the id of its row and its own id. */
type EntryAddress = readonly [source: number, entry: number]

async function rewriteColumn(
  run: MigrationRun,
  on: MatchedType,
  previous: EntriesAttribute,
  next: EntriesAttribute,
  rewriter: EntryRewriter,
) {
  const { table } = on.next
  const column = columnOf(next.name)
  for await (const rows of readFilledRows(run.read, table, column)) {
    const changed: [number, string][] = []
    const removed: EntryAddress[] = []
    for (const { id, value } of rows) {
      const before = parseEntries(value)
      const after = rewriter.rewrite(before, previous, next)
      if (isDeepStrictEqual(before, after)) continue
      changed.push([id, JSON.stringify(after)])
      const remaining = new Set(collectEntryIds(after))
      for (const entry of collectEntryIds(before)) if (!remaining.has(entry)) removed.push([id, entry])
    }
    replaceText(run.transaction, table, column, changed)
    await backUpEntryEdges(run, on, removed)
  }
  run.transaction.touch(table)
}

/** Backs up the edges of all entries in a column that is dropped. */
export async function backUpEntryEdgesOfColumn(
  run: MigrationRun,
  on: MatchedType,
  previous: EntriesAttribute,
) {
  for await (const rows of readFilledRows(run.read, on.next.table, columnOf(previous.name))) {
    const removed = rows.flatMap(({ id, value }) =>
      collectEntryIds(parseEntries(value)).map((entry): EntryAddress => [id, entry]),
    )
    await backUpEntryEdges(run, on, removed)
  }
}

async function backUpEntryEdges(run: MigrationRun, on: MatchedType, removed: readonly EntryAddress[]) {
  if (removed.length === 0) return
  const list = JSON.stringify(removed)
  const isRemoved = sql`(edge.source, edge.entry) IN (SELECT CAST(item.value ->> 0 AS bigint),
    CAST(item.value ->> 1 AS bigint) FROM ${run.dialect.jsonItems(sql`${list}`)})`
  for (const [key, relation] of [...run.relationIds]) {
    const [type, component] = key.split('|')
    if (component !== '' && (type === on.previous.uid || type === on.next.uid))
      await backUpEdges(run, relation, isRemoved, `${on.next.uid}, relations of removed entries`)
  }
}
