/** JSON text that a statement puts together from constant text and values of rows. */
import { type Sql, sql } from '../../store/sql.ts'
import type { Compilation } from '../sources.ts'

/** JSON text in three parts, of which only the middle depends on the row. */
export interface Json {
  readonly open: string
  readonly middle: readonly Sql[]
  readonly close: string
}

export const jsonExpression = (c: Compilation, { open, middle, close }: Json): Sql =>
  c.dialect.concat([sql.lit(open), ...middle, sql.lit(close)])

/**
 * The texts of all rows, separated by commas, in order; null when there is no row. The separator includes `close` and
 * `open`, so that only the `open` of the first row and the `close` of the last are missing.
 */
export const joinedRows = (c: Compilation, json: Json, order: readonly Sql[], sorted: boolean): Sql => {
  const [only] = json.middle
  const middle = only && json.middle.length === 1 ? only : c.dialect.concat(json.middle)
  return c.dialect.joinRows(middle, `${json.close},${json.open}`, order, sorted)
}

/** The texts of all rows as a JSON list; null when there is no row. */
export const jsonList = (c: Compilation, json: Json, order: readonly Sql[], sorted: boolean): Sql =>
  sql`${sql.lit(`[${json.open}`)} || ${joinedRows(c, json, order, sorted)} || ${sql.lit(`${json.close}]`)}`

/** JSON text that a subquery returns as `j`. */
export const AS_IS: Json = { open: '', middle: [sql.ref('x.j')], close: '' }
