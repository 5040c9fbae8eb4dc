/** Statements of the write side: their text is compiled once for each shape, only the values change. */
import { LRUCache } from 'lru-cache'
import { compile } from '../../store/compile.ts'
import type { Dialect } from '../../store/dialect.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { SqlValue, Statement } from '../../store/statement.ts'

const texts = new LRUCache<string, string>({ max: 2_000 })

/** Stands where a value goes; the values are given in the order of their places. */
export const place = sql`${null}`

/** A list of places. */
export const places = (count: number) => sql.join(Array.from({ length: count }, () => place))

/** The statement of a shape, which names everything that makes one text differ from another. */
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

/** A list of values to look something up by. */
export interface Among {
  /** What its text depends on. */
  readonly shape: string
  readonly parameters: readonly SqlValue[]
  /** Whether a column is among the values. */
  test(column: Sql): Sql
}

/** A few values, each in a place of its own where that is faster than to take a list apart, or any number in one list. */
export function among(dialect: Dialect, values: readonly string[] | readonly number[]): Among {
  const count = values.length
  if (count <= dialect.maxListParameters)
    return {
      shape: String(count),
      parameters: values,
      test: (column) => sql`${column} in (${places(count)})`,
    }
  const test = typeof values[0] === 'number' ? amongNumbers : amongTexts
  return {
    shape: '*',
    parameters: [JSON.stringify(values)],
    test: (column) => test(dialect, column),
  }
}

/** Whether a column is among the texts of one parameter, a JSON list. */
export const amongTexts = (dialect: Dialect, column: Sql) => dialect.inTexts(column, place)

/** Whether a column is among the whole numbers of one parameter, a JSON list. */
export const amongNumbers = (dialect: Dialect, column: Sql) => dialect.inIntegers(column, place)
