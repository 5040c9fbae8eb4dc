/** Statements of the write side: the SQL text is compiled once for each shape, only the parameters change. */
import { LRUCache } from 'lru-cache'
import { compile } from '../../store/compile.ts'
import type { Dialect } from '../../store/dialect.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { RowInsert, SqlValue, Statement } from '../../store/statement.ts'

const texts = new LRUCache<string, string>({ max: 2_000 })

/** Stands for a parameter; parameters are given in the order of their placeholders. */
export const placeholder = sql`${null}`

export const placeholders = (count: number) => sql.join(Array.from({ length: count }, () => placeholder))

/** A statement whose SQL text is cached under `shape`, which must name everything that the text depends on. */
export function statement(
  dialect: Dialect,
  shape: string,
  build: () => Sql,
  parameters: readonly SqlValue[],
): Statement {
  const key = `${dialect.name}|${shape}`
  let text = texts.get(key)
  if (text === undefined) {
    text = compile(dialect, build()).sql
    texts.set(key, text)
  }
  return { sql: text, parameters }
}

/** Inserts rows into a table; `row` has the values of one row, with a placeholder for each parameter. */
export function rowInsert(table: string, columns: readonly string[], row: Sql) {
  const textsByDialect = new Map<Dialect, RowInsert['text']>()
  const createText = (dialect: Dialect): RowInsert['text'] => {
    const known: string[] = []
    const build = (
      rows: number,
    ) => sql`${dialect.insertInto(sql.table(table))} (${sql.join(columns.map((name) => sql.id(name)))})
      values ${sql.join(Array.from({ length: rows }, () => sql`(${row})`))}`
    return (rows) => (known[rows] ??= compile(dialect, build(rows)).sql)
  }
  return (dialect: Dialect, rows: RowInsert['rows']): RowInsert => {
    let text = textsByDialect.get(dialect)
    if (!text) {
      text = createText(dialect)
      textsByDialect.set(dialect, text)
    }
    return { table, text, rows }
  }
}

/** A condition that a column has one of several values. */
export interface ListTest {
  /** What the SQL text depends on. */
  readonly shape: string
  readonly parameters: readonly SqlValue[]
  test(column: Sql): Sql
}

/** One placeholder for each of a few values, or one JSON array for any number of values. */
export function inList(dialect: Dialect, values: readonly string[] | readonly number[]): ListTest {
  const count = values.length
  if (count <= dialect.maxListParameters)
    return {
      shape: String(count),
      parameters: values,
      test: (column) => sql`${column} in (${placeholders(count)})`,
    }
  const test = typeof values[0] === 'number' ? inNumberList : inTextList
  return {
    shape: '*',
    parameters: [JSON.stringify(values)],
    test: (column) => test(dialect, column),
  }
}

/** The documents with these documentIds. Most statements are about one, which is compared without a list. */
export const inDocuments = (dialect: Dialect, documentIds: readonly string[]): ListTest =>
  documentIds.length === 1
    ? { shape: '1', parameters: documentIds, test: (column) => sql`${column} = ${placeholder}` }
    : inList(dialect, documentIds)

/** Whether a column is one of the strings in one parameter, a JSON array. */
export const inTextList = (dialect: Dialect, column: Sql) => dialect.inTexts(column, placeholder)

/** Whether a column is one of the integers in one parameter, a JSON array. */
export const inNumberList = (dialect: Dialect, column: Sql) => dialect.inIntegers(column, placeholder)
