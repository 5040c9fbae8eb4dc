/** Compiles the page of a list: its rows are chosen first, and their JSON is built afterwards. */
import { type Sql, sql } from '../store/sql.ts'
import { all } from './conditions.ts'
import type { PlanDialect } from './dialect.ts'
import { joinedRows } from './json/json-text.ts'
import { documentJson, type JsonCompilation, outlineOf } from './json/response-json.ts'
import { type KnownPage, limitOf, offsetOf } from './known-page.ts'
import { matchingRows, queriedRows, rowsFromOpenRange } from './page-rows.ts'
import type { Query } from './query-tree.ts'
import { rowsFromEdges } from './reverse-lookup.ts'
import { sortValues } from './sort/sort-values.ts'
import type { SortExpression } from './sort/text-prefix.ts'
import { column, type PageRows } from './sources.ts'

/** A score is computed once for each row, and then sorted by its name. */
const sortedByName = (term: SortExpression, index: number): SortExpression =>
  term.isComputed ? { ...term, value: sql.id(`k${index}`) } : term

/** The rows of a page, where related rows are found for all of them together. */
const PAGE = sql.id('octavo_page')

/** The ids of a page: from one row with an array of them, or from a row for each. */
const idsOfPage = (isArray: boolean) =>
  isArray ? sql`cast((select ids from ${PAGE}) as bigint[])` : sql`array (select id from ${PAGE})`

/** Larger pages than those of a known size are always grouped. */
const canGroupRelated = ({ minGroupedPageSize: min }: PlanDialect, known: KnownPage | null) =>
  min !== null && (known === null || known.size >= min)

interface PageOptions {
  /** Whether a search index has narrowed the list. */
  readonly isNarrowed?: boolean
  /** The rows of the list, if they have been found already. */
  readonly found?: PageRows | null
}

/** Selects the ids of the page first and builds JSON for those rows only, so that rows skipped by the offset stay cheap. */
export function page(
  c: JsonCompilation,
  query: Query,
  target: Extract<Query['target'], { kind: 'page' }>,
  known: KnownPage | null,
  { isNarrowed = false, found = null }: PageOptions = {},
) {
  const inner = { ...queriedRows(c, query), joins: [] }
  const isById = c.dialect.prefersArraysToJoins && query.sort.length === 0
  const joins: Sql[] = []
  const groupsRelated = canGroupRelated(c.dialect, known)
  const outer = {
    ...queriedRows(c, query, 'few'),
    joins,
    ...(groupsRelated && { ids: idsOfPage(isById) }),
  }
  const terms = sortValues(c, query.sort, inner)
  const keys = terms.map((term, index) => sql`${term.value} as ${sql.id(`k${index}`)}`)
  const rows =
    found ??
    (query.sort.length === 0 ? rowsFromEdges(c, query, inner) : null) ??
    rowsFromOpenRange(c, query, inner) ??
    matchingRows(c, query, inner, terms.map(sortedByName), isNarrowed)
  const json = documentJson(c, outer, query.select, outlineOf(query))
  const order = terms.map((term, index) =>
    c.dialect.order(sql.ref(`p.k${index}`), term.descending, term.nullable),
  )
  const list = joinedRows(c, json, [...order, isById ? column(outer, 'id') : sql.ref('p.id')], true)
  const chosen = sql`select ${sql.join([sql`${rows.id} as id`, ...keys])} from ${rows.from} where ${rows.where}
    order by ${sql.join(rows.order)} limit ${limitOf(c.dialect, target.limit, known)} offset ${offsetOf(c.dialect, query, target.start, known)}`
  const table = sql`${sql.table(outer.type.table)} as ${sql.id(outer.alias)}`
  const onRows = (isChosen: Sql) => all([isChosen, ...rows.unchecked(outer)])
  const isGrouped = groupsRelated && joins.length > 0
  const ids = isGrouped ? idsOfPage(true) : sql`array (${chosen})`
  const from = isById
    ? sql`${table} ${sql.join(joins, ' ')} where ${onRows(sql`${column(outer, 'id')} = any (${ids})`)}`
    : sql`${isGrouped ? PAGE : sql`(${chosen})`} as p ${c.dialect.join} ${table} on ${onRows(sql`${column(outer, 'id')} = p.id`)} ${sql.join(joins, ' ')}`
  const withPage = isGrouped
    ? sql`with ${PAGE} as materialized (${isById ? sql`select array (${chosen}) as ids` : chosen}) `
    : sql``
  return {
    data: sql`(${withPage}select ${list} from ${from})`,
    wrapper: { open: `[${json.open}`, close: `${json.close}]` },
  }
}
