/**
 * Reads documents as if they had other content: the statement of a read runs with common table expressions in place of
 * the tables, in which the rows and edges of some documents are replaced.
 */
import { prefixed } from '../store/compile.ts'
import type { Dialect } from '../store/dialect.ts'
import { sql } from '../store/sql.ts'
import type { Statement } from '../store/statement.ts'
import { EDGES } from '../store/tables/layout.ts'

export interface Overlay {
  /** The table of the content-type, and all its columns. */
  readonly table: string
  readonly columns: readonly string[]
  /** The relations whose edges start at rows of the table. */
  readonly relations: readonly number[]
  /** The documents whose stored rows and edges are hidden. */
  readonly documentIds: readonly string[]
  /** JSON arrays of the rows and edges that are read instead, each an object of columns. */
  readonly rows: string
  readonly edges: string
}

const EDGE_COLUMNS = [
  ...['relation', 'source', 'entry', 'target', 'published', 'target_type', 'position', 'inverse_position'],
] as const

export function withOverlay(dialect: Dialect, statement: Statement, overlay: Overlay): Statement {
  const { table, columns, relations, documentIds, rows, edges } = overlay
  const list = (names: readonly string[]) => sql.join(names.map((name) => sql.id(name)))
  const isReplaced = dialect.inTexts(sql.id('document_id'), sql`${JSON.stringify(documentIds)}`)
  const stored = dialect.storedTable(table)
  // The numbers of relations are literals: they only change with the model.
  const isOwnEdge =
    relations.length === 0
      ? sql`1 = 0`
      : sql`relation in (${sql.join(relations.map((relation) => sql.lit(relation)))})
          and source in (select id from ${stored} where ${isReplaced})`
  const tables = sql`${sql.table(table)} as not materialized (
      select ${list(columns)} from ${stored} where not (${isReplaced})
      union all select ${list(columns)} from ${dialect.rowsFromJson(table, columns, dialect.jsonText(sql`${rows}`))}),
    ${sql.table(EDGES)} as not materialized (
      select ${list(EDGE_COLUMNS)} from ${dialect.storedTable(EDGES)} where not (${isOwnEdge})
      union all select ${list(EDGE_COLUMNS)}
        from ${dialect.rowsFromJson(EDGES, EDGE_COLUMNS, dialect.jsonText(sql`${edges}`))})`
  const rest = /^\s*with\b/i
  const hasTables = rest.test(statement.sql)
  const text = hasTables ? statement.sql.replace(rest, ',') : statement.sql
  return prefixed(dialect, sql`with ${tables}`, { ...statement, sql: text })
}
