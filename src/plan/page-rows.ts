/** Which rows of the root type a query selects, and how an index finds those of a page. */
import { typeOf } from '../model/model.ts'
import { type Sql, sql } from '../store/sql.ts'
import { all, condition, parameter } from './conditions.ts'
import type { Condition, Query } from './query-tree.ts'
import { isSelective, rowsFromEdges } from './reverse-lookup.ts'
import { CANDIDATES } from './search/narrowed.ts'
import { orderBy, type SortExpression } from './sort/text-prefix.ts'
import {
  type Compilation,
  column,
  hasShownStatus,
  type PageRows,
  publishedFlag,
  type RowSource,
  rootSource,
} from './sources.ts'
import type { Visits } from './visits.ts'

/** The rows of the queried type. */
export const queriedRows = (c: Compilation, query: Query, visits: Visits = visitsOf(query)) =>
  rootSource(c, typeOf(c.model, query.type), onlyLocale(query), visits)

function visitsOf({ target, where }: Query): Visits {
  if (target.kind === 'document' || (where !== null && isSelective(where))) return 'few'
  return where === null ? 'all' : 'some'
}

/** The condition that selects the rows of the root type, from all rows or from those that a search index has found. */
export function matching(c: Compilation, query: Query, source: RowSource, isNarrowed = false): Sql {
  const published = hasShownStatus(c, source)
  const locale =
    query.locale.kind === 'in'
      ? [sql`${column(source, 'locale')} in (${sql.join(query.locale.values.map(parameter))})`]
      : query.locale.kind === 'none'
        ? [sql`${column(source, 'locale')} = ''`]
        : []
  const document =
    query.target.kind === 'document'
      ? [sql`${column(source, 'document_id')} = ${parameter(query.target.documentId)}`]
      : []
  const candidates = isNarrowed
    ? [c.dialect.isInShortList(column(source, 'id'), sql`select id from ${CANDIDATES}`)]
    : []
  return all([...document, published, ...locale, ...candidates, ...filtered(c, query.where, source)])
}

/** Without a filter an index finds the rows, and nothing that takes time is done for each of them. */
function filtered(c: Compilation, where: Condition | null, source: RowSource): readonly Sql[] {
  if (!where) return []
  const counter = conditionsIn(where) > MANY_CONDITIONS ? sql.lit(0) : column(source, 'id')
  return [...c.dialect.endWhenLate(counter), condition(c, where, source)]
}

/** From this number of conditions on, testing one row may take so long that the time is checked for each. */
const MANY_CONDITIONS = 8

function conditionsIn(node: Condition): number {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.all.reduce((count, part) => count + conditionsIn(part), 0)
    case 'not':
      return conditionsIn(node.of)
    case 'through':
      return conditionsIn(node.where)
    default:
      return 1
  }
}

/** The locale of all rows, when the query has exactly one. */
const onlyLocale = ({ locale }: Query): Sql | null =>
  locale.kind === 'in' && locale.values.length === 1 && locale.values[0] ? parameter(locale.values[0]) : null

const tableOf = ({ type, alias, joins = [] }: RowSource) =>
  sql`${sql.table(type.table)} as ${sql.id(alias)} ${sql.join(joins, ' ')}`

/** The matching rows in the order of these terms, then of their ids. */
export const matchingRows = (
  c: Compilation,
  query: Query,
  source: RowSource,
  terms: readonly SortExpression[],
  isNarrowed: boolean,
): PageRows => ({
  id: column(source, 'id'),
  from: tableOf(source),
  where: matching(c, query, source, isNarrowed),
  order: [...terms.flatMap((term) => orderBy(c, term)), column(source, 'id')],
  unchecked: () => [],
})

/**
 * The rows of a list without filter and sort, read from the index of pages without an upper end: SQLite would compare
 * every row with it, and without takes a third of the time to step over the rows before the page. Rows without a locale
 * come first in the range, so only the rows of the page can be others. Null when that is not so.
 */
export function rowsFromOpenRange(c: Compilation, query: Query, source: RowSource): PageRows | null {
  if (
    !c.dialect.comparesRowsWithRangeEnd ||
    query.where ||
    query.sort.length > 0 ||
    query.locale.kind !== 'none'
  )
    return null
  return {
    id: column(source, 'id'),
    from: tableOf(source),
    where: sql`${column(source, 'published')} >= ${sql.lit(publishedFlag(c, source.type))}`,
    order: ['published', 'locale', 'id'].map((name) => column(source, name)),
    unchecked: (outer) => [matching(c, query, outer)],
  }
}

const FOUND = sql.id('octavo_found')

/**
 * The rows of a list that edges select, found once for both a page and the total; `expression` is the WITH clause that finds
 * them. Null where the page and the total are selected in different ways.
 */
export function rowsFoundOnce(c: Compilation, query: Query) {
  if (query.sort.length > 0) return null
  const found = rowsFromEdges(c, query, queriedRows(c, query))
  if (!found) return null
  const id = sql`${FOUND}.id`
  const rows: PageRows = { id, from: FOUND, where: all([]), order: [id], unchecked: found.unchecked }
  return {
    rows,
    total: sql`(select count(*) from ${FOUND})`,
    expression: sql`with ${FOUND} as materialized (select ${found.id} as id from ${found.from} where ${found.where}) `,
  }
}
