/** Compiles a query tree into a plan: one SQL statement that can run with any values. */
import { typeOf } from '../model/model.ts'
import type { Dialect } from '../store/dialect.ts'
import { type Sql, sql } from '../store/sql.ts'
import { columnOf, type Layout } from '../store/tables/layout.ts'
import { all, any, condition } from './conditions.ts'
import { type PlanDialect, planDialects } from './dialect.ts'
import { jsonExpression } from './json/json-text.ts'
import { documentJson, type JsonCompilation, outlineOf } from './json/response-json.ts'
import { type KnownPage, limitOf } from './known-page.ts'
import { page } from './page.ts'
import { matching, queriedRows, rowsFoundOnce } from './page-rows.ts'
import { type PreparedStatement, prepared } from './prepared-statement.ts'
import { queriedTables } from './queried-tables.ts'
import type { Query } from './query-tree.ts'
import { rowsFromEdges } from './reverse-lookup.ts'
import type { IndexedSearch } from './search/indexed-search.ts'
import { narrowedRead } from './search/narrowed.ts'
import { isIndexed, type KeyRange, rangesBeyond, sortExpressions } from './sort/keyset.ts'
import { orderBy } from './sort/text-prefix.ts'
import { column } from './sources.ts'

export interface Plan {
  /**
   * For a document: one row with `data` (its JSON), `id` and `revision`; none when it does not exist.
   * For a page: one row with `data`, the JSON of the list without `wrapper`; null for an empty list. Adding the wrapper in
   * SQL would copy the whole text once more.
   * For a cursor page: a row for each document with `data`, `id`, and the values that it is sorted by as `k0`, `k1` and so on.
   */
  readonly read: PreparedStatement
  /** The same, with the number of matching documents as `total`; null unless a list is requested. An empty cursor page has one row with `total` only. */
  readonly readAndCount: PreparedStatement | null
  readonly wrapper: { readonly open: string; readonly close: string }
  /** Makes `data` from the row of a document without a statement; null when the query needs more than the row. */
  readonly fromRow: RowToJson | null
  /** Whether a search index narrows the list. */
  readonly search: PlannedSearch | null
  /** The tables that the documents depend on. */
  readonly tables: readonly string[]
  /** The tables that the count depends on. */
  readonly countTables: readonly string[]
}

export interface PlannedSearch {
  /** A statement with `few`, which is 1 if the index is used and 0 if the rows are read. */
  readonly choice: PreparedStatement
}

type RowToJson = (row: { readonly id: number; readonly served: string }) => string

export interface CompileOptions {
  readonly knownPage?: KnownPage | null
  readonly search?: IndexedSearch | null
  /** Whether the statement will read other rows than those of the tables, so that it cannot rely on their indexes. */
  readonly isOverlaid?: boolean
}

/** Compiles a query. The SQL depends on the shape of the query and on the options, never on other values. */
export function compile(
  query: Query,
  layout: Layout,
  dialect: Dialect,
  { knownPage = null, search = null, isOverlaid = false }: CompileOptions = {},
): Plan {
  const c = compilationOf(query, layout, dialect, isOverlaid)
  const prepare = (statement: Sql) => prepared(dialect, statement)
  const tables = {
    tables: queriedTables(query, layout.model, 'documents'),
    countTables: queriedTables(query, layout.model, 'count'),
  }
  if (query.target.kind === 'cursor') {
    const { rows, order } = cursorPage(c, query, query.target, knownPage)
    const counted = sql`select * from (select ${count(c, query)} as total) as c left join (${rows}) as w on 1 = 1`
    return {
      read: prepare(sql`${rows} order by ${order('p')}`),
      readAndCount: prepare(sql`${counted} order by ${order('w')}`),
      wrapper: NO_WRAPPER,
      fromRow: null,
      search: null,
      ...tables,
    }
  }
  if (query.target.kind !== 'page')
    return {
      read: prepare(document(c, query)),
      readAndCount: null,
      wrapper: NO_WRAPPER,
      fromRow: rowToJson(query),
      search: null,
      ...tables,
    }
  const { target } = query
  const { wrapper, data } = page(c, query, target, knownPage)
  if (!search) {
    const found = rowsFoundOnce(c, query)
    return {
      read: prepare(sql`select ${data} as data`),
      readAndCount: prepare(
        found
          ? sql`${found.expression}select ${page(c, query, target, knownPage, { found: found.rows }).data} as data, ${found.total} as total`
          : sql`select ${data} as data, ${count(c, query)} as total`,
      ),
      search: null,
      wrapper,
      fromRow: null,
      ...tables,
    }
  }
  const isOrdered = query.sort.length === 0 || isIndexed(typeOf(c.model, query.type), query.sort)
  const narrowed = narrowedRead(c.dialect, search, tableOf(c, query), isOrdered)
  const rows = narrowed.page((isNarrowed) =>
    isNarrowed ? page(c, query, target, knownPage, { isNarrowed }).data : data,
  )
  const total = narrowed.count((isNarrowed) => count(c, query, isNarrowed))
  return {
    read: prepare(sql`${narrowed.withPage}select ${rows} as data`),
    readAndCount: prepare(sql`${narrowed.withCount}select ${rows} as data, ${total} as total`),
    search: {
      choice: prepare(
        sql`${narrowed.withPage}select case when ${narrowed.isPageNarrowed} then 1 else 0 end as few`,
      ),
    },
    wrapper,
    fromRow: null,
    ...tables,
  }
}

/** Compiles the number of rows that a query selects, as `count`. */
export function compileCount(query: Query, layout: Layout, dialect: Dialect): PreparedStatement {
  return prepared(dialect, sql`select ${count(compilationOf(query, layout, dialect), query)} as count`)
}

const tableOf = ({ model }: JsonCompilation, { type }: Query) => typeOf(model, type).table

/** Compiles a count for each value of an attribute: rows with `value` and `count`. */
export function compileValueCounts(
  query: Query,
  attribute: string,
  layout: Layout,
  dialect: Dialect,
): PreparedStatement {
  const c = compilationOf(query, layout, dialect)
  const source = queriedRows(c, query)
  const value = column(source, columnOf(attribute))
  return prepared(
    dialect,
    sql`select ${value} as value, count(*) as count from ${sql.table(source.type.table)} as ${sql.id(source.alias)}
      where ${matching(c, query, source)} group by ${value}`,
  )
}

function compilationOf(query: Query, layout: Layout, dialect: Dialect, isOverlaid = false): JsonCompilation {
  let aliases = 0
  const c: JsonCompilation = {
    dialect: isOverlaid ? withoutSortedRows(planDialects[dialect.name]) : planDialects[dialect.name],
    layout,
    model: layout.model,
    published: query.status === 'published' ? 1 : 0,
    shape: query.shape,
    editor: query.editor ?? null,
    alias: () => `t${aliases++}`,
    condition: (node, source, negated) => condition(c, node, source, negated),
  }
  return c
}

/** Sorts every list itself, even where an index has the rows in order. */
const withoutSortedRows = (dialect: PlanDialect): PlanDialect => ({
  ...dialect,
  joinRows: (text, separator, order) => dialect.joinRows(text, separator, order, false),
})

const NO_WRAPPER = { open: '', close: '' }

/**
 * The documents after a position. Where an index has the sort order, each range is read separately and only as far as the
 * page goes, so that the cost does not depend on the position.
 */
function cursorPage(
  c: JsonCompilation,
  query: Query,
  target: Extract<Query['target'], { kind: 'cursor' }>,
  known: KnownPage | null,
) {
  const joins: Sql[] = []
  const inner = { ...queriedRows(c, query), joins }
  const outer = queriedRows(c, query, 'few')
  const terms = sortExpressions(c, query.sort, inner, target.backward)
  const names = terms.map((_, index) => (index === terms.length - 1 ? 'id' : `k${index}`))
  const order = (alias: string) =>
    sql.join(
      terms.map((term, index) =>
        c.dialect.order(sql.ref(`${alias}.${names[index]}`), term.descending, term.nullable),
      ),
    )
  const limit = limitOf(c.dialect, target.limit, known)

  const values = terms.map(({ value }, index) => sql`${value} as ${sql.id(names[index] ?? '')}`)
  const from = sql`${sql.table(inner.type.table)} as ${sql.id(inner.alias)} ${sql.join(joins, ' ')}`
  const rowsOf = ({ where, fixedTerms }: KeyRange) =>
    sql`select ${sql.join(values)} from ${from} where ${all([matching(c, query, inner), where])} order by ${sql.join(
      terms.slice(fixedTerms).flatMap((term) => orderBy(c, term)),
    )} limit ${limit}`

  const ranges = target.from ? rangesBeyond(terms, target.from) : [{ where: all([]), fixedTerms: 0 }]
  const chosen =
    ranges.length > 1 && isIndexed(inner.type, query.sort)
      ? sql`select * from (${sql.join(
          ranges.map((range) => sql`select * from (${rowsOf(range)}) as s`),
          ' union all ',
        )}) as u order by ${order('u')} limit ${limit}`
      : rowsOf({ where: any(ranges.map(({ where }) => where)), fixedTerms: 0 })
  const shown = [
    sql`${jsonExpression(c, documentJson(c, outer, query.select, outlineOf(query)))} as data`,
    ...names.map((name) => sql.ref(`p.${name}`)),
  ]
  const rows = sql`select ${sql.join(shown)} from (${chosen}) as p ${c.dialect.join} ${sql.table(
    outer.type.table,
  )} as ${sql.id(outer.alias)} on ${column(outer, 'id')} = p.id`
  return { rows, order }
}

function count(c: JsonCompilation, query: Query, isNarrowed = false): Sql {
  const source = queriedRows(c, query)
  const edges = rowsFromEdges(c, query, source)
  if (edges) return sql`(select count(*) from ${edges.from} where ${edges.where})`
  return sql`(select count(*) from ${sql.table(source.type.table)} as ${sql.id(source.alias)} where ${matching(c, query, source, isNarrowed)})`
}

function document(c: JsonCompilation, query: Query): Sql {
  const source = queriedRows(c, query)
  const json = jsonExpression(c, documentJson(c, source, query.select, outlineOf(query)))
  const version = [sql`${column(source, 'id')} as id`, sql`${column(source, 'revision')} as revision`]
  return sql`select ${json} as data, ${sql.join(version)} from ${sql.table(
    source.type.table,
  )} as ${sql.id(source.alias)} where ${matching(c, query, source)} order by ${column(source, 'id')} limit 1`
}

function rowToJson(query: Query): RowToJson | null {
  const { fields, populate } = query.select
  if (query.where || query.editor || fields !== null || populate.length > 0) return null
  const { id: showsId, tail } = outlineOf(query)
  return ({ id, served }) => (showsId ? `{"id":${id}${served}${tail}}` : `{${served.slice(1)}${tail}}`)
}
