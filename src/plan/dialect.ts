/** What differs between the two engines when a plan becomes SQL, and nothing else. */
import type { EngineName } from '../store/dialect.ts'
import { foldExpression } from '../store/fold/fold-expression.ts'
import { type Sql, sql } from '../store/sql.ts'
import { fieldType } from './field-type.ts'
import type { Field } from './query-tree.ts'

export interface Dialect {
  readonly engine: EngineName
  /** Joins pieces of text, none of them null. */
  concat(pieces: readonly Sql[]): Sql
  /**
   * Joins the text of all rows with a separator, in order; null when there is no row. `sorted` tells that the rows
   * already come in this order, because they are read from an index or a subquery that has it.
   */
  joinRows(text: Sql, separator: string, order: readonly Sql[], sorted: boolean): Sql
  /** Whether a value is in a list that is made once, whatever the engine would rather do. */
  isInList(value: Sql, list: Sql): Sql
  /** How many rows to take, given as a parameter. */
  limit(count: Sql): Sql
  /** The largest page whose size stands in the text, where a plan for an unknown number of rows is a bad one. */
  readonly maxKnownPageSize: number
  /** Joins tables so that the left one is read first, where the engine does not choose well by itself. */
  readonly join: Sql
  /** Ascending puts nulls first, descending last; where there are none, any index serves. */
  order(value: Sql, descending: boolean, nullable?: boolean): Sql
  fold(text: Sql): Sql
  contains(text: Sql, part: Sql): Sql
  startsWith(text: Sql, part: Sql): Sql
  endsWith(text: Sql, part: Sql): Sql
  /** A FROM item: the entries of a JSON list, with `value` and their place as `key`. */
  entries(list: Sql, alias: string): Sql
  /** A member of a JSON object as JSON text, exactly as it was written; SQL null for a JSON null. */
  jsonMember(object: Sql, name: string): Sql
  /** A member of a JSON object as a value that compares like a column of the type. */
  valueMember(object: Sql, field: Field): Sql
}

/** A fragment (`,"a":1,…`) as a JSON object. The extra member makes the leading comma right. */
const objectOf = (fragment: Sql) => sql`('{"":0' || ${fragment} || '}')`

/** The function builds its result at once, where `||` copies at every step; but it takes only so many arguments. */
const MOST_ARGUMENTS = 100
/** To call it costs more than a few steps. */
const FEW_PIECES = 4

function flat(pieces: readonly Sql[], most: number): Sql {
  if (pieces.length <= most) return sql`concat(${sql.join(pieces)})`
  const groups = Array.from({ length: Math.ceil(pieces.length / most) }, (_, i) =>
    flat(pieces.slice(i * most, (i + 1) * most), most),
  )
  return flat(groups, most)
}

const sqlite: Dialect = {
  engine: 'sqlite',
  concat: (pieces) =>
    pieces.length <= FEW_PIECES ? sql`(${sql.join(pieces, ' || ')})` : flat(pieces, MOST_ARGUMENTS),
  joinRows: (text, separator, order, sorted) =>
    sorted
      ? sql`group_concat(${text}, ${sql.lit(separator)})`
      : sql`group_concat(${text}, ${sql.lit(separator)} order by ${sql.join(order)})`,
  join: sql`cross join`,
  // The planner looks at the value of a bare parameter, and so prepares the statement anew at each execution.
  limit: (count) => sql`${count} + 0`,
  maxKnownPageSize: 0,
  isInList: (value, list) => sql`${value} in (${list})`,
  order: (value, descending) => (descending ? sql`${value} desc` : sql`${value}`),
  fold: (text) => foldExpression(text),
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  startsWith: (text, part) => sql`substr(${text}, 1, length(${part})) = ${part}`,
  endsWith: (text, part) => sql`substr(${text}, length(${text}) - length(${part}) + 1) = ${part}`,
  entries: (list, alias) => sql`json_each(${list}) as ${sql.id(alias)}`,
  jsonMember: (fragment, name) => sql`nullif(${objectOf(fragment)} -> ${sql.lit(name)}, 'null')`,
  valueMember(fragment, field) {
    const { family, entryCast } = fieldType(field)
    if (family === 'json') return sqlite.jsonMember(fragment, field.name)
    const value = sql`(${objectOf(fragment)} ->> ${sql.lit(field.name)})`
    return entryCast?.sqlite ? sql`cast(${value} as ${sql.raw(entryCast.sqlite)})` : value
  },
}

const postgres: Dialect = {
  engine: 'postgres',
  concat: (pieces) => sql.join(pieces, ' || '),
  joinRows: (text, separator, order) =>
    sql`string_agg(${text}, ${sql.lit(separator)} order by ${sql.join(order)})`,
  join: sql`join`,
  limit: (count) => count,
  // For a parameter the planner expects a tenth of the table. Few sizes are in use, so that statements stay few.
  maxKnownPageSize: 101,
  // Without statistics the planner takes EXISTS or IN for a join and may try every pair of rows.
  isInList: (value, list) => sql`${value} = any (array (${list}))`,
  order: (value, descending, nullable = true) =>
    sql`${value} ${descending ? sql`desc` : sql`asc`}${nullable ? sql` nulls ${descending ? sql`last` : sql`first`}` : sql``}`,
  fold: (text) => foldExpression(text),
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  startsWith: (text, part) => sql`starts_with(${text}, ${part})`,
  endsWith: (text, part) => sql`right(${text}, length(${part})) = ${part}`,
  entries: (list, alias) =>
    sql`jsonb_array_elements(${list}) with ordinality as ${sql.id(alias)}(${sql.id('value')}, ${sql.id('key')})`,
  jsonMember: (fragment, name) =>
    sql`nullif((${objectOf(fragment)}::json -> ${sql.lit(name)})::text, 'null')`,
  valueMember(fragment, field) {
    const { family, column, entryCast } = fieldType(field)
    if (family === 'json') return postgres.jsonMember(fragment, field.name)
    const text = sql`(${objectOf(fragment)}::json ->> ${sql.lit(field.name)})`
    return sql`${text}::${sql.raw(entryCast?.postgres ?? column.postgres)}`
  },
}

export const dialects: Readonly<Record<EngineName, Dialect>> = { sqlite, postgres }
