/** Component entries in the database, brought to the next model; edges of entries that go are set aside. */
import { isDeepStrictEqual } from 'node:util'
import { sql } from '../../sql.ts'
import { columnOf } from '../../tables/layout.ts'
import { replaceText } from '../../tables/rebuild-served.ts'
import { collectEntryIds, createEntryRewriter, type EntryRewriter } from '../entries/entry-rewriter.ts'
import type { EntryImpacts } from '../inspect/inspect-entries.ts'
import { parseEntries, readFilledRows } from '../inspect/inspection-context.ts'
import { type Change, type EntriesAttribute, holdsEntries, type MatchedType } from '../plan/change.ts'
import { matchAttributes } from '../plan/match-models.ts'
import { copyToBackup } from './columns.ts'
import { backUpEdges, type MigrationRun } from './migration-run.ts'

/** Rewrites every list of entries that the changes are about. Columns have their new names by now. */
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

async function rewriteColumn(
  run: MigrationRun,
  on: MatchedType,
  previous: EntriesAttribute,
  next: EntriesAttribute,
  rewriter: EntryRewriter,
) {
  const { table } = on.next
  const column = columnOf(next.name)
  for await (const rows of readFilledRows(run, table, column)) {
    const changed: [number, string][] = []
    const gone: [number, number][] = []
    for (const { id, value } of rows) {
      const before = parseEntries(value)
      const after = rewriter.rewrite(before, previous, next)
      if (isDeepStrictEqual(before, after)) continue
      changed.push([id, JSON.stringify(after)])
      const left = new Set(collectEntryIds(after))
      gone.push(
        ...collectEntryIds(before).flatMap((entry): [number, number][] =>
          left.has(entry) ? [] : [[id, entry]],
        ),
      )
    }
    replaceText(run.transaction, table, column, changed)
    await backUpEntryEdges(run, on, gone)
  }
  run.transaction.touch(table)
}

/** Sets aside the edges of all entries in a column that goes as a whole. */
export async function backUpEntryEdgesOfColumn(
  run: MigrationRun,
  on: MatchedType,
  previous: EntriesAttribute,
) {
  for await (const rows of readFilledRows(run, on.next.table, columnOf(previous.name))) {
    const gone = rows.flatMap(({ id, value }) =>
      collectEntryIds(parseEntries(value)).map((entry): [number, number] => [id, entry]),
    )
    await backUpEntryEdges(run, on, gone)
  }
}

async function backUpEntryEdges(
  run: MigrationRun,
  on: MatchedType,
  gone: readonly (readonly [source: number, entry: number])[],
) {
  if (gone.length === 0) return
  const list = JSON.stringify(gone)
  const which = sql`(edge.source, edge.entry) IN (SELECT CAST(item.value ->> 0 AS bigint),
    CAST(item.value ->> 1 AS bigint) FROM ${run.dialect.jsonItems(sql`${list}`)})`
  for (const [key, relation] of [...run.relationIds]) {
    const [type, component] = key.split('|')
    if (component !== '' && (type === on.previous.uid || type === on.next.uid))
      await backUpEdges(run, relation, which, `${on.next.uid}, relations of entries that went`)
  }
}
