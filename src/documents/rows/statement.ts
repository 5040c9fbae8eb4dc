/** Statements of the write side: their text is compiled once for each shape, only the values change. */
import { LRUCache } from 'lru-cache'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { EngineName, SqlValue, Statement } from '../../store/store.ts'

const texts = new LRUCache<string, string>({ max: 2_000 })

/** Stands where a value goes; the values are given in the order of their places. */
export const place = sql`${null}`

/** A list of places. */
export const places = (count: number) => sql.join(Array.from({ length: count }, () => place))

/**
 * Begins an INSERT. On SQLite whatever fails takes its whole job back, so a statement need not be able to take back what
 * it has done itself, for which it would copy every page that it changes.
 */
export const insertInto = (engine: EngineName, table: Sql) =>
  sql`${sql.raw(engine === 'sqlite' ? 'insert or fail into' : 'insert into')} ${table}`

/** The statement of a shape, which names everything that makes one text differ from another. */
export function statement(
  engine: EngineName,
  shape: string,
  build: () => Sql,
  parameters: readonly SqlValue[],
): Statement {
  const key = `${engine}|${shape}`
  let text = texts.get(key)
  if (text === undefined) {
    text = compile(engine, build()).sql
    texts.set(key, text)
  }
  return { sql: text, parameters }
}

/** Up to so many values get places of their own; longer lists would make a text for each length. */
const MOST_PLACES = 8

/** A list of values to look something up by. */
export interface Among {
  /** What its text depends on. */
  readonly shape: string
  readonly parameters: readonly SqlValue[]
  /** Whether a column is among the values. */
  test(column: Sql): Sql
}

/** A few values, each in a place of its own where that is faster than to take a list apart, or any number in one list. */
export function among(engine: EngineName, values: readonly string[] | readonly number[]): Among {
  const count = values.length
  if (engine === 'sqlite' && count <= MOST_PLACES)
    return {
      shape: String(count),
      parameters: values,
      test: (column) => sql`${column} in (${places(count)})`,
    }
  const test = typeof values[0] === 'number' ? amongNumbers : amongTexts
  return {
    shape: '*',
    parameters: [JSON.stringify(values)],
    test: (column) => test(engine, column),
  }
}

/** Whether a column is among the texts of one parameter, a JSON list. */
export const amongTexts = (engine: EngineName, column: Sql) =>
  engine === 'sqlite'
    ? sql`${column} in (select value from json_each(${place}))`
    : sql`${column} = any (array (select jsonb_array_elements_text(${place}::jsonb)))`

/** Whether a column is among the whole numbers of one parameter, a JSON list. */
export const amongNumbers = (engine: EngineName, column: Sql) =>
  engine === 'sqlite'
    ? sql`${column} in (select value from json_each(${place}))`
    : sql`${column} = any (array (select jsonb_array_elements_text(${place}::jsonb)::bigint))`
