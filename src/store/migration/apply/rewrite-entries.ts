/** Component entries in the database, brought to the next model; edges of entries that go are set aside. */
import { isDeepStrictEqual } from 'node:util'
import { sql } from '../../sql.ts'
import { columnOf } from '../../tables/layout.ts'
import { replaceText } from '../../tables/rebuild-served.ts'
import { createRewriter, entryIds, type Rewriter } from '../entries/entry-rewriter.ts'
import type { EntryTallies } from '../inspect/inspect-entries.ts'
import { entriesIn, filledRows } from '../inspect/inspection-context.ts'
import { type Change, isList, type KeptType, type ListAttribute } from '../plan/change.ts'
import { attributesOf } from '../plan/match-models.ts'
import { copyColumnAside } from './columns.ts'
import { setEdgesAside, type Work } from './migration-run.ts'

/** Rewrites every list of entries that the changes are about. Columns have their new names by now. */
export async function rewriteEntries(work: Work, changes: readonly Change[], tallies: EntryTallies) {
  const rewriter = createRewriter(work.transition, changes)
  for (const on of work.transition.types) {
    for (const { former, next } of attributesOf(on).kept) {
      if (!isList(former) || !isList(next) || !rewriter.touches(former, next)) continue
      if (tallies.isLossy(on.former.table, former.name)) {
        copyColumnAside(work, on, next, work.engine === 'sqlite' ? 'TEXT' : 'jsonb')
      }
      await rewriteColumn(work, on, former, next, rewriter)
    }
  }
}

async function rewriteColumn(
  work: Work,
  on: KeptType,
  former: ListAttribute,
  next: ListAttribute,
  rewriter: Rewriter,
) {
  const { table } = on.next
  const column = columnOf(next.name)
  for await (const rows of filledRows(work, table, column)) {
    const changed: [number, string][] = []
    const gone: [number, number][] = []
    for (const { id, value } of rows) {
      const before = entriesIn(value)
      const after = rewriter.rewrite(before, former, next)
      if (isDeepStrictEqual(before, after)) continue
      changed.push([id, JSON.stringify(after)])
      const left = new Set(entryIds(after))
      gone.push(
        ...entryIds(before).flatMap((entry): [number, number][] => (left.has(entry) ? [] : [[id, entry]])),
      )
    }
    replaceText(work.transaction, table, column, changed)
    await setEntryEdgesAside(work, on, gone)
  }
  work.transaction.touch(table)
}

/** Sets aside the edges of all entries in a column that goes as a whole. */
export async function setEdgesOfColumnAside(work: Work, on: KeptType, former: ListAttribute) {
  for await (const rows of filledRows(work, on.next.table, columnOf(former.name))) {
    const gone = rows.flatMap(({ id, value }) =>
      entryIds(entriesIn(value)).map((entry): [number, number] => [id, entry]),
    )
    await setEntryEdgesAside(work, on, gone)
  }
}

async function setEntryEdgesAside(
  work: Work,
  on: KeptType,
  gone: readonly (readonly [source: number, entry: number])[],
) {
  if (gone.length === 0) return
  const list = JSON.stringify(gone)
  const which =
    work.engine === 'sqlite'
      ? sql`(edge.source, edge.entry) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${list}))`
      : sql`(edge.source, edge.entry) IN (
          SELECT (value ->> 0)::bigint, (value ->> 1)::bigint FROM json_array_elements(${list}::json))`
  for (const [key, relation] of [...work.keys]) {
    const [type, component] = key.split('|')
    if (component !== '' && (type === on.former.uid || type === on.next.uid))
      await setEdgesAside(work, relation, which, `${on.next.uid}, relations of entries that went`)
  }
}
