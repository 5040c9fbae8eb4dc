/** Decides whether a row rule covered a document that no longer exists. */
import { blueprintOf } from '../documents/rows/blueprint.ts'
import type { ContentType } from '../model/model.ts'
import { compile } from '../store/compile.ts'
import { type Sql, sql } from '../store/sql.ts'
import type { Statement } from '../store/statement.ts'
import type { Store } from '../store/store.ts'
import { EDGES, type Layout } from '../store/tables/layout.ts'
import { events, sequence } from './outbox/tables.ts'

const EDGE_COLUMNS = [
  ...['relation', 'source', 'entry', 'target', 'published', 'target_type', 'position', 'inverse_position'],
]

/**
 * Runs the statement of a row rule as if the content that an event has removed were still there: the tables of the
 * content-type and of the edges are replaced by common table expressions that also hold the removed rows.
 */
export async function wasCovered(
  store: Store,
  layout: Layout,
  type: ContentType,
  rule: Statement,
  seq: number,
): Promise<boolean> {
  const { dialect } = store
  const removed = sql`(select removed from ${events} where ${sequence(dialect)} = ${sql.lit(seq)})`
  const withRemoved = (table: string, columns: readonly string[], member: string): Sql => {
    const names = sql.join(columns.map((column) => sql.id(column)))
    const rows = dialect.rowsFromJson(table, columns, dialect.jsonMember(removed, member))
    return sql`${sql.table(table)} as not materialized (
      select ${names} from ${dialect.storedTable(table)} union all select ${names} from ${rows})`
  }
  const tables = [
    withRemoved(type.table, ['id', ...blueprintOf(layout, type).columns], 'rows'),
    withRemoved(EDGES, EDGE_COLUMNS, 'edges'),
  ]
  const { sql: text } = compile(dialect, sql`with ${sql.join(tables)}`)
  const rest = /^\s*with\b/i.test(rule.sql) ? rule.sql.replace(/^\s*with\b/i, ',') : rule.sql
  return (await store.read({ sql: `${text} ${rest}`, parameters: rule.parameters })).length > 0
}
