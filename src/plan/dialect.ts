/** What differs between the two engines when a plan is compiled. */

import type { EngineName } from '../store/dialect.ts'
import { foldExpression } from '../store/fold/fold-expression.ts'
import { DEADLINE } from '../store/reads/deadline-function.ts'
import { type Sql, sql } from '../store/sql.ts'
import { fieldType } from './field-type.ts'
import type { Field } from './query-tree.ts'
import type { IndexedSearch, SearchCandidates } from './search/indexed-search.ts'
import { wordCandidates } from './search/postgres-candidates.ts'
import { fullTextCandidates } from './search/sqlite-candidates.ts'

export interface PlanDialect {
  /** Concatenates pieces of text, none of them null. */
  concat(pieces: readonly Sql[]): Sql
  /** Concatenates the text of all rows, in order; null when there is no row. `isSorted` when rows are already in this order. */
  joinRows(text: Sql, separator: string, order: readonly Sql[], isSorted: boolean): Sql
  /** Whether a value is among the rows of a subquery, which runs only once. */
  isInList(value: Sql, subquery: Sql): Sql
  /** The same for rows of several values. */
  isInTuples(values: readonly Sql[], subquery: Sql): Sql
  /** Like `isInList`, for a subquery that returns few rows. */
  isInShortList(value: Sql, subquery: Sql): Sql
  /** The argument of LIMIT, for a count that is a parameter. */
  limit(count: Sql): Sql
  /** The argument of OFFSET, hidden from the planner where it would plan the statement anew for each value. */
  unplannedOffset(start: Sql): Sql
  /** An id to sort by, hidden from a planner that might read all rows in that order until it has found a page of matches. */
  unplannedId(id: Sql): Sql
  /** The largest page size that is written into the statement, because the engine plans badly for an unknown one. */
  readonly maxKnownPageSize: number
  /** Joins tables; the left one is read first where a statement can decide that. */
  readonly join: Sql
  /** Whether tables are read in the order in which they are joined, so that the statement decides which one is first. */
  readonly keepsJoinOrder: boolean
  /** Whether rows are found faster by an array of their ids than by a join with the subquery that selects them. */
  readonly prefersArraysToJoins: boolean
  /** Whether a subquery for each row costs more than a join, because its cursor is opened again for each row. */
  readonly prefersJoinsToSubqueries: boolean
  /**
   * The smallest page whose related rows are found faster for all of its rows together than by a subquery for each row; null
   * where subqueries are always faster.
   */
  readonly minGroupedPageSize: number | null
  /** Whether a scalar subquery stops at its first row without LIMIT. */
  readonly stopsAtFirstRow: boolean
  /** Whether the nesting of expressions is limited, counting all queries around them. */
  readonly limitsExpressionDepth: boolean
  /** Whether an EXISTS that does not become a join is planned twice, so that nested ones multiply the planning time. */
  readonly plansExistsTwice: boolean
  /** Whether a scan compares each row with the end of its range, which takes longer than the step to the next row. */
  readonly comparesRowsWithRangeEnd: boolean
  /** Whether an index holds only the first characters of long text. */
  readonly indexesTextPrefixes: boolean
  /** A term of ORDER BY: nulls come first when ascending and last when descending. */
  order(value: Sql, descending: boolean, nullable?: boolean): Sql
  fold(text: Sql): Sql
  contains(text: Sql, part: Sql): Sql
  startsWith(text: Sql, part: Sql): Sql
  endsWith(text: Sql, part: Sql): Sql
  /**
   * Conditions that are always true, but end the statement when it has run for too long. For engines that do not check
   * the time themselves. `counter` is a number that differs between most rows; the time is checked when it is a multiple
   * of 16.
   */
  endWhenLate(counter: Sql): readonly Sql[]
  /** The rows of a table that can match a search, which an index finds. */
  searchCandidates(search: IndexedSearch): SearchCandidates
  /** A FROM item with the entries of a JSON array: `value`, and the position as `key`. */
  entries(list: Sql, alias: string): Sql
  /** Text as a JSON string. */
  quoteJson(text: Sql): Sql
  /** A member of a JSON object as its JSON text, unchanged; SQL null for a JSON null. */
  jsonMember(object: Sql, name: string): Sql
  /** A member of a JSON object as a value that compares like a column of the type. */
  valueMember(object: Sql, field: Field): Sql
}

/** A fragment (`,"a":1,...`) as a JSON object; the extra member precedes the leading comma. */
const objectOf = (fragment: Sql) => sql`('{"":0' || ${fragment} || '}')`

/** `concat` builds its result in one step, where `||` copies at each; but SQLite limits its arguments. */
const MAX_CONCAT_ARGUMENTS = 100
/** Up to this number of pieces, `||` is faster than a function call. */
const FEW_PIECES = 4

function nestedConcat(pieces: readonly Sql[], max: number): Sql {
  if (pieces.length <= max) return sql`concat(${sql.join(pieces)})`
  const groups = Array.from({ length: Math.ceil(pieces.length / max) }, (_, i) =>
    nestedConcat(pieces.slice(i * max, (i + 1) * max), max),
  )
  return nestedConcat(groups, max)
}

const sqlite: PlanDialect = {
  concat: (pieces) =>
    pieces.length <= FEW_PIECES
      ? sql`(${sql.join(pieces, ' || ')})`
      : nestedConcat(pieces, MAX_CONCAT_ARGUMENTS),
  joinRows: (text, separator, order, isSorted) =>
    isSorted
      ? sql`group_concat(${text}, ${sql.lit(separator)})`
      : sql`group_concat(${text}, ${sql.lit(separator)} order by ${sql.join(order)})`,
  join: sql`cross join`,
  keepsJoinOrder: true,
  prefersArraysToJoins: false,
  prefersJoinsToSubqueries: true,
  minGroupedPageSize: null,
  stopsAtFirstRow: true,
  limitsExpressionDepth: true,
  plansExistsTwice: false,
  comparesRowsWithRangeEnd: true,
  indexesTextPrefixes: false,
  // The planner inspects the value of a bare parameter and then prepares the statement again at each execution.
  limit: (count) => sql`${count} + 0`,
  unplannedOffset: (start) => start,
  unplannedId: (id) => id,
  maxKnownPageSize: 0,
  isInList: (value, subquery) => sql`${value} in (${subquery})`,
  isInTuples: (values, subquery) => sql`(${sql.join(values)}) in (${subquery})`,
  isInShortList: (value, subquery) => sql`${value} in (${subquery})`,
  order: (value, descending) => (descending ? sql`${value} desc` : sql`${value}`),
  fold: (text) => foldExpression(text),
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  startsWith: (text, part) => sql`substr(${text}, 1, length(${part})) = ${part}`,
  endsWith: (text, part) => sql`substr(${text}, length(${text}) - length(${part}) + 1) = ${part}`,
  // Calling the function for each row would take longer than reading it. Without `likelihood` the planner would expect
  // fewer rows.
  endWhenLate: (counter) => [sql`likelihood((${counter}) & 15 or ${sql.raw(DEADLINE)}(), 1.0)`],
  searchCandidates: fullTextCandidates,
  entries: (list, alias) => sql`json_each(${list}) as ${sql.id(alias)}`,
  quoteJson: (text) => sql`json_quote(${text})`,
  jsonMember: (fragment, name) => sql`nullif(${objectOf(fragment)} -> ${sql.lit(name)}, 'null')`,
  valueMember(fragment, field) {
    const { family, entryCast } = fieldType(field)
    if (family === 'json') return sqlite.jsonMember(fragment, field.name)
    const value = sql`(${objectOf(fragment)} ->> ${sql.lit(field.name)})`
    return entryCast?.sqlite ? sql`cast(${value} as ${sql.raw(entryCast.sqlite)})` : value
  },
}

const postgres: PlanDialect = {
  concat: (pieces) => sql.join(pieces, ' || '),
  joinRows: (text, separator, order) =>
    sql`string_agg(${text}, ${sql.lit(separator)} order by ${sql.join(order)})`,
  join: sql`join`,
  keepsJoinOrder: false,
  prefersArraysToJoins: true,
  prefersJoinsToSubqueries: false,
  // For pages of 25, by 18 %; for pages of 100, by 65 %.
  minGroupedPageSize: 8,
  stopsAtFirstRow: false,
  limitsExpressionDepth: false,
  plansExistsTwice: true,
  comparesRowsWithRangeEnd: false,
  indexesTextPrefixes: true,
  limit: (count) => count,
  // If the offset is a parameter, the planner assumes that it skips a tenth of the table. A plan for the value always looks
  // cheaper than that, so each request would be planned anew, which takes longer than reading a page.
  unplannedOffset: (start) => sql`(select cast(${start} as bigint))`,
  // Also selected like this: rows of a single value are sorted as numbers, which takes an eighth off such a statement.
  unplannedId: (id) => sql`${id} + 0`,
  // Larger sizes are parameters, so that there are not too many statements.
  maxKnownPageSize: 101,
  // Without statistics the planner turns EXISTS or IN into a join and may compare every pair of rows.
  isInShortList: (value, subquery) => sql`${value} = any (array (${subquery}))`,
  // As a condition of its own, the subquery would become a join, and under LIMIT the planner compares every pair of rows. From
  // an array it expects few values, and so builds a hash table of them, however many there are.
  isInList: (value, subquery) => sql`(${value} in (select unnest(array (${subquery})))) is true`,
  // The same without an array, which can only hold single values.
  isInTuples: (values, subquery) => sql`((${sql.join(values)}) in (${subquery})) is true`,
  order: (value, descending, nullable = true) =>
    sql`${value} ${descending ? sql`desc` : sql`asc`}${nullable ? sql` nulls ${descending ? sql`last` : sql`first`}` : sql``}`,
  fold: (text) => foldExpression(text),
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  startsWith: (text, part) => sql`starts_with(${text}, ${part})`,
  endsWith: (text, part) => sql`right(${text}, length(${part})) = ${part}`,
  endWhenLate: () => [],
  searchCandidates: wordCandidates,
  entries: (list, alias) =>
    sql`jsonb_array_elements(${list}) with ordinality as ${sql.id(alias)}(${sql.id('value')}, ${sql.id('key')})`,
  quoteJson: (text) => sql`to_json(${text})::text`,
  jsonMember: (fragment, name) =>
    sql`nullif((${objectOf(fragment)}::json -> ${sql.lit(name)})::text, 'null')`,
  valueMember(fragment, field) {
    const { family, column, entryCast } = fieldType(field)
    if (family === 'json') return postgres.jsonMember(fragment, field.name)
    const text = sql`(${objectOf(fragment)}::json ->> ${sql.lit(field.name)})`
    return sql`${text}::${sql.raw(entryCast?.postgres ?? column.postgres)}`
  },
}

export const planDialects: Readonly<Record<EngineName, PlanDialect>> = { sqlite, postgres }
