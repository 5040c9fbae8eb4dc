/** Decides whether a row rule covered a document that no longer exists. */
import { blueprintOf } from '../documents/rows/blueprint.ts'
import type { ContentType } from '../model/model.ts'
import { prefixed } from '../store/compile.ts'
import { type Sql, sql } from '../store/sql.ts'
import type { Statement } from '../store/statement.ts'
import type { Store } from '../store/store.ts'
import { EDGES, type Layout } from '../store/tables/layout.ts'
import { fitRemoved } from './fit-removed.ts'

const EDGE_COLUMNS = [
  ...['relation', 'source', 'entry', 'target', 'published', 'target_type', 'position', 'inverse_position'],
]

/**
 * Runs the statement of a row rule as if the content that an event has removed were still there: the tables of the
 * content-type and of the edges are replaced by common table expressions that also hold the removed rows. A rule on an
 * attribute that has changed its type since, and cannot hold the former value, does not cover the document.
 */
export async function wasCovered(
  store: Store,
  layout: Layout,
  type: ContentType,
  rule: Statement,
  removed: string,
): Promise<boolean> {
  const { dialect } = store
  const blueprint = blueprintOf(layout, type)
  const { rows, edges, unfit } = fitRemoved(blueprint, removed)
  if (unfit.some((column) => rule.sql.includes(column))) return false
  const withRemoved = (table: string, columns: readonly string[], json: string): Sql => {
    const names = sql.join(columns.map((column) => sql.id(column)))
    const added = dialect.rowsFromJson(table, columns, dialect.jsonText(sql`${json}`))
    return sql`${sql.table(table)} as not materialized (
      select ${names} from ${dialect.storedTable(table)} union all select ${names} from ${added})`
  }
  const tables = sql.join([
    withRemoved(type.table, ['id', ...blueprint.columns], rows),
    withRemoved(EDGES, EDGE_COLUMNS, edges),
  ])
  const first = /^\s*with\b/i
  const rest = first.test(rule.sql) ? rule.sql.replace(first, ',') : rule.sql
  return (await store.read(prefixed(dialect, sql`with ${tables}`, { ...rule, sql: rest }))).length > 0
}
