/** Finds documents that would share a value of an attribute that must be unique after the migration. Reads only. */
import type { ScalarAttribute } from '../../../model/model.ts'
import { type Sql, sql } from '../../sql.ts'
import { isComparedColumn, isComparedForUnique } from '../../tables/indexed.ts'
import { columnOf } from '../../tables/layout.ts'
import { convertValue, hasSameStorage } from '../convert-value.ts'
import type { MatchedType } from '../plan/change.ts'
import type { ReadSql } from '../run-sql.ts'
import { AffectedRowCounter, type AffectedRows, findRows, readFilledRows } from './affected-rows.ts'

/** The published rows that would share a value with another document of the same locale. */
export const findSharedValues = (
  read: ReadSql,
  on: MatchedType,
  from: ScalarAttribute,
  to: ScalarAttribute,
): Promise<AffectedRows> =>
  hasSameStorage(from.type, to.type)
    ? findSharedStored(read, on, from, to)
    : findSharedConverted(read, on, from, to)

/** The SQL condition under which a row of this table also has a published version. */
export const hasPublishedVersion = (name: string): Sql => {
  const table = sql.table(name)
  return sql`EXISTS (SELECT 1 FROM ${table} AS live WHERE live.published = 1
    AND live.document_id = ${table}.document_id AND live.locale = ${table}.locale)`
}

/** Switching draft & publish off publishes the documents that are only drafts. */
const willBePublished = ({ previous, next }: MatchedType): Sql =>
  previous.draftAndPublish && !next.draftAndPublish
    ? sql`(published = 1 OR NOT ${hasPublishedVersion(previous.table)})`
    : sql`published = 1`

function findSharedStored(
  read: ReadSql,
  on: MatchedType,
  from: ScalarAttribute,
  to: ScalarAttribute,
): Promise<AffectedRows> {
  const { table } = on.previous
  const column = sql.id(columnOf(from.name))
  const hasValue = sql`${willBePublished(on)} AND ${isComparedColumn(to, column)}`
  return findRows(
    read,
    table,
    sql`${hasValue} AND (locale, ${column}) IN (
      SELECT locale, ${column} FROM ${sql.table(table)} WHERE ${hasValue}
      GROUP BY locale, ${column} HAVING count(*) > 1)`,
  )
}

/** Different values may become equal when converted: `"7"` and `"07"` both become 7. */
async function findSharedConverted(
  read: ReadSql,
  on: MatchedType,
  from: ScalarAttribute,
  to: ScalarAttribute,
): Promise<AffectedRows> {
  const { table } = on.previous
  const firstRows = new Map<string, { readonly id: number; readonly documentId: string }>()
  const shared = new AffectedRowCounter()
  for await (const rows of readFilledRows(read, table, columnOf(from.name), willBePublished(on))) {
    for (const { id, documentId, locale, value } of rows) {
      const conversion = value === null ? null : convertValue(value, from, to)
      if (!conversion?.ok || !isComparedForUnique(to, conversion.value)) continue
      const key = JSON.stringify([locale, String(conversion.value)])
      const first = firstRows.get(key)
      if (first) {
        shared.add(table, first.id, first.documentId)
        shared.add(table, id, documentId)
      } else firstRows.set(key, { id, documentId })
    }
  }
  return shared.result
}
