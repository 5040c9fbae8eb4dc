/** Values that must be unique once a migration is done: documents that would share one are in its way. Reads only. */
import type { ScalarAttribute } from '../../../model/model.ts'
import { type Sql, sql } from '../../sql.ts'
import { columnOf } from '../../tables/layout.ts'
import { convertValue, hasSameStorage } from '../convert-value.ts'
import type { MatchedType } from '../plan/change.ts'
import {
  AffectedRowCounter,
  type AffectedRows,
  findRows,
  type InspectionContext,
  readFilledRows,
} from './inspection-context.ts'

/** Documents that would share a value of an attribute with another, in one locale. */
export const findSharedValues = (
  context: InspectionContext,
  on: MatchedType,
  from: ScalarAttribute,
  to: ScalarAttribute,
): Promise<AffectedRows> =>
  hasSameStorage(from.type, to.type)
    ? findSharedStored(context, on, from)
    : findSharedConverted(context, on, from, to)

/** Whether the published version of a row of this table exists too. */
export const hasPublishedVersion = (name: string): Sql => {
  const table = sql.table(name)
  return sql`EXISTS (SELECT 1 FROM ${table} AS shown WHERE shown.published = 1
    AND shown.document_id = ${table}.document_id AND shown.locale = ${table}.locale)`
}

/** The rows that will be published: without drafts, what is only a draft is. */
const willBePublished = ({ previous, next }: MatchedType): Sql =>
  previous.draftAndPublish && !next.draftAndPublish
    ? sql`(published = 1 OR NOT ${hasPublishedVersion(previous.table)})`
    : sql`published = 1`

function findSharedStored(
  context: InspectionContext,
  on: MatchedType,
  { name }: ScalarAttribute,
): Promise<AffectedRows> {
  const { table } = on.previous
  const column = sql.id(columnOf(name))
  const among = sql`${willBePublished(on)} AND ${column} IS NOT NULL`
  return findRows(
    context,
    table,
    sql`${among} AND (locale, ${column}) IN (
      SELECT locale, ${column} FROM ${sql.table(table)} WHERE ${among}
      GROUP BY locale, ${column} HAVING count(*) > 1)`,
  )
}

/** Values that differ may become the same one: `"7"` and `"07"` are both 7. */
async function findSharedConverted(
  context: InspectionContext,
  on: MatchedType,
  from: ScalarAttribute,
  to: ScalarAttribute,
): Promise<AffectedRows> {
  const { table } = on.previous
  const first = new Map<string, { readonly id: number; readonly documentId: string }>()
  const shared = new AffectedRowCounter()
  for await (const rows of readFilledRows(context, table, columnOf(from.name), willBePublished(on))) {
    for (const { id, documentId, locale, value } of rows) {
      const result = value === null ? null : convertValue(value, from, to)
      if (!result?.ok) continue
      const key = JSON.stringify([locale, String(result.value)])
      const other = first.get(key)
      if (!other) first.set(key, { id, documentId })
      else for (const one of [other, { id, documentId }]) shared.add(table, one.id, one.documentId)
    }
  }
  return shared.result
}
