/** A query tree becomes a plan: one SQL statement for the engine at hand, ready to be run with any values. */
import { typeOf } from '../model/model.ts'
import { compileText } from '../store/compile.ts'
import type { Dialect } from '../store/dialect.ts'
import { type Sql, sql } from '../store/sql.ts'
import type { SqlValue, Statement } from '../store/statement.ts'
import { columnOf, type Layout } from '../store/tables/layout.ts'
import { all, any, condition, parameter } from './conditions.ts'
import { dialects } from './dialect.ts'
import { isIndexed, type KeyRange, rangesBeyond, sortExpressions } from './keyset.ts'
import { queriedTables } from './queried-tables.ts'
import type { Query, Slot } from './query-tree.ts'
import {
  documentJson,
  type JsonCompilation,
  joinedRows,
  jsonExpression,
  sortValues,
} from './response-json.ts'
import { pageFromEdges } from './reverse-lookup.ts'
import { column, publishedFlag, rootSource } from './sources.ts'
import { orderBy } from './text-prefix.ts'

/** A statement whose values are still to be filled in. */
interface PreparedStatement {
  readonly sql: string
  readonly parameters: readonly (SqlValue | Slot)[]
}

export interface Plan {
  /**
   * Yields one row with `data`, the JSON text of the answer's data; none when there is no such document. Of a
   * single document its `id` and `revision` follow. A list comes without what is the same `around` every list, and as null when it
   * is empty: to put it around in the statement would copy all of it once more.
   * A walk yields a row for each document: its JSON as `data`, its `id`, and as `k0`, `k1` and so on the values it is
   * sorted by.
   */
  readonly read: PreparedStatement
  /**
   * The same with the count of all documents that match as `total`; null unless a list is asked for. A walk without
   * documents then yields one row with nothing but the count.
   */
  readonly readAndCount: PreparedStatement | null
  readonly wrapper: { readonly open: string; readonly close: string }
  /** Makes `data` of a document from its row alone; null when there is more to it, or a condition. */
  readonly fromRow: OfRow | null
  /** The tables whose content the answer depends on. */
  readonly tables: readonly string[]
  /** The tables whose content the count depends on. */
  readonly countTables: readonly string[]
}

type OfRow = (row: { readonly id: number; readonly served: string }) => string

/** Fills the values of a query into a prepared statement. */
export function bind(prepared: PreparedStatement, values: readonly SqlValue[]): Statement {
  return {
    sql: prepared.sql,
    parameters: prepared.parameters.map((p) => {
      if (p === null || typeof p !== 'object') return p
      const filled = values[p.slot]
      if (filled === undefined) throw new Error(`No value for slot ${p.slot}`)
      return filled
    }),
  }
}

/** The size of a query's page, where the plan is to be made for it; null where it serves any size. */
export function knownPageSize(
  { target: want }: Query,
  values: readonly SqlValue[],
  dialect: Dialect,
): number | null {
  const { maxKnownPageSize: largestKnownPage } = dialects[dialect.name]
  if (largestKnownPage === 0 || !('limit' in want)) return null
  const size = values[want.limit.slot]
  return typeof size === 'number' && size >= 0 && size <= largestKnownPage ? size : null
}

/** Compiles a query. The text depends on the shape of the query and the size of a known page, never on another value. */
export function compile(
  query: Query,
  layout: Layout,
  dialect: Dialect,
  pageSize: number | null = null,
): Plan {
  const c = compilationOf(query, layout, dialect)
  const prepare = (statement: Sql) => prepared(dialect, statement)
  const tables = {
    tables: queriedTables(query, layout.model, 'answer'),
    countTables: queriedTables(query, layout.model, 'count'),
  }
  if (query.target.kind === 'cursor') {
    const { rows, order } = walk(c, query, query.target, pageSize)
    const counted = sql`select * from (select ${count(c, query)} as total) as c left join (${rows}) as w on 1 = 1`
    return {
      read: prepare(sql`${rows} order by ${order('p')}`),
      readAndCount: prepare(sql`${counted} order by ${order('w')}`),
      wrapper: NOTHING,
      fromRow: null,
      ...tables,
    }
  }
  if (query.target.kind !== 'page')
    return {
      read: prepare(one(c, query)),
      readAndCount: null,
      wrapper: NOTHING,
      fromRow: ofRow(query),
      ...tables,
    }
  const { data, open, close } = page(c, query, query.target, pageSize)
  return {
    read: prepare(sql`select ${data} as data`),
    readAndCount: prepare(sql`select ${data} as data, ${count(c, query)} as total`),
    wrapper: { open: `[${open}`, close: `${close}]` },
    fromRow: null,
    ...tables,
  }
}

/** Compiles a query into a count for each value of an attribute: rows with the `value` and its `count`. */
export function compileValueCounts(
  query: Query,
  attribute: string,
  layout: Layout,
  dialect: Dialect,
): PreparedStatement {
  const c = compilationOf(query, layout, dialect)
  const place = rootSource(c, typeOf(c.model, query.type), onlyLocale(query))
  const value = column(place, columnOf(attribute))
  return prepared(
    dialect,
    sql`select ${value} as value, count(*) as count from ${sql.table(place.type.table)} as ${sql.id(place.alias)}
      where ${matching(c, query, place)} group by ${value}`,
  )
}

function compilationOf(query: Query, layout: Layout, dialect: Dialect): JsonCompilation {
  let aliases = 0
  const c: JsonCompilation = {
    dialect: dialects[dialect.name],
    layout,
    model: layout.model,
    published: query.status === 'published' ? 1 : 0,
    shape: query.shape,
    alias: () => `t${aliases++}`,
    condition: (node, place) => condition(c, node, place),
  }
  return c
}

function prepared(dialect: Dialect, statement: Sql): PreparedStatement {
  const compiled = compileText(dialect, statement)
  return { sql: compiled.sql, parameters: compiled.parameters.map(parameterOf) }
}

const NOTHING = { open: '', close: '' }

function parameterOf(value: unknown): SqlValue | Slot {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  if (isSlot(value)) return value
  throw new Error('A plan holds scalars and slots only')
}

const isSlot = (value: unknown): value is Slot =>
  typeof value === 'object' && value !== null && 'slot' in value && typeof value.slot === 'number'

/** Which rows of the root type match. */
function matching(c: JsonCompilation, query: Query, place: ReturnType<typeof rootSource>): Sql {
  const published = sql`${column(place, 'published')} = ${sql.lit(publishedFlag(c, place.type))}`
  const locale =
    query.locale.kind === 'in'
      ? [sql`${column(place, 'locale')} in (${sql.join(query.locale.values.map(parameter))})`]
      : query.locale.kind === 'none'
        ? [sql`${column(place, 'locale')} = ''`]
        : []
  const document =
    query.target.kind === 'document'
      ? [sql`${column(place, 'document_id')} = ${parameter(query.target.documentId)}`]
      : []
  const where = query.where ? [condition(c, query.where, place)] : []
  return all([...document, published, ...locale, ...where])
}

/** The locale of all rows, when the query asks for one. */
const onlyLocale = ({ locale }: Query): Sql | null =>
  locale.kind === 'in' && locale.values.length === 1 && locale.values[0] ? parameter(locale.values[0]) : null

const outline = (query: Query) => ({ id: query.shape.id, tail: query.shape.meta ? ',"meta":{}' : '' })

const limitOf = ({ dialect }: JsonCompilation, limit: Slot, pageSize: number | null): Sql =>
  pageSize === null ? dialect.limit(parameter(limit)) : sql.lit(pageSize)

/**
 * Chooses the ids of the page first and makes JSON for those rows alone; the rows that an offset skips cost only what
 * finding them costs.
 */
function page(
  c: JsonCompilation,
  query: Query,
  want: Extract<Query['target'], { kind: 'page' }>,
  pageSize: number | null,
) {
  const inner = rootSource(c, typeOf(c.model, query.type), onlyLocale(query))
  const joins: Sql[] = []
  const outer = { ...rootSource(c, typeOf(c.model, query.type), onlyLocale(query)), joins }
  const terms = sortValues(c, query.sort, inner)
  const keys = terms.map((term, index) => sql`${term.value} as ${sql.id(`k${index}`)}`)
  const led = terms.length === 0 ? pageFromEdges(c, inner, query.where) : null
  const rows = led ?? {
    id: column(inner, 'id'),
    from: sql`${sql.table(inner.type.table)} as ${sql.id(inner.alias)}`,
    where: matching(c, query, inner),
  }
  const json = documentJson(c, outer, query.select, outline(query))
  const order = terms.map((term, index) =>
    c.dialect.order(sql.ref(`p.k${index}`), term.descending, term.nullable),
  )
  const list = joinedRows(c, json, [...order, sql.ref('p.id')], true)
  const chosen = sql`select ${sql.join([sql`${rows.id} as id`, ...keys])} from ${rows.from} where ${rows.where}
    order by ${sql.join([...terms.flatMap((term) => orderBy(c, term)), rows.id])}
    limit ${limitOf(c, want.limit, pageSize)} offset ${parameter(want.start)}`
  return {
    data: sql`(select ${list} from (${chosen}) as p ${c.dialect.join} ${sql.table(
      outer.type.table,
    )} as ${sql.id(outer.alias)} on ${column(outer, 'id')} = p.id ${sql.join(joins, ' ')})`,
    open: json.open,
    close: json.close,
  }
}

/**
 * The documents beyond a position. Where an index has them in order, each stretch is read by itself and no further than
 * the page goes, so that the cost does not grow with the way already gone.
 */
function walk(
  c: JsonCompilation,
  query: Query,
  want: Extract<Query['target'], { kind: 'cursor' }>,
  pageSize: number | null,
) {
  const inner = rootSource(c, typeOf(c.model, query.type), onlyLocale(query))
  const outer = rootSource(c, typeOf(c.model, query.type), onlyLocale(query))
  const terms = sortExpressions(c, query.sort, inner, want.backward)
  const names = terms.map((_, index) => (index === terms.length - 1 ? 'id' : `k${index}`))
  const order = (alias: string) =>
    sql.join(
      terms.map((term, index) =>
        c.dialect.order(sql.ref(`${alias}.${names[index]}`), term.descending, term.nullable),
      ),
    )
  const limit = limitOf(c, want.limit, pageSize)

  const values = terms.map(({ value }, index) => sql`${value} as ${sql.id(names[index] ?? '')}`)
  const from = sql`${sql.table(inner.type.table)} as ${sql.id(inner.alias)}`
  const rowsOf = ({ where, fixedTerms: fixed }: KeyRange) =>
    sql`select ${sql.join(values)} from ${from} where ${all([matching(c, query, inner), where])} order by ${sql.join(
      terms.slice(fixed).flatMap((term) => orderBy(c, term)),
    )} limit ${limit}`

  const stretches = want.from ? rangesBeyond(terms, want.from) : [{ where: all([]), fixedTerms: 0 }]
  const chosen =
    stretches.length > 1 && isIndexed(inner.type, query.sort)
      ? sql`select * from (${sql.join(
          stretches.map((stretch) => sql`select * from (${rowsOf(stretch)}) as s`),
          ' union all ',
        )}) as u order by ${order('u')} limit ${limit}`
      : rowsOf({ where: any(stretches.map(({ where }) => where)), fixedTerms: 0 })
  const shown = [
    sql`${jsonExpression(c, documentJson(c, outer, query.select, outline(query)))} as data`,
    ...names.map((name) => sql.ref(`p.${name}`)),
  ]
  const rows = sql`select ${sql.join(shown)} from (${chosen}) as p ${c.dialect.join} ${sql.table(
    outer.type.table,
  )} as ${sql.id(outer.alias)} on ${column(outer, 'id')} = p.id`
  return { rows, order }
}

function count(c: JsonCompilation, query: Query): Sql {
  const place = rootSource(c, typeOf(c.model, query.type), onlyLocale(query))
  return sql`(select count(*) from ${sql.table(place.type.table)} as ${sql.id(place.alias)} where ${matching(c, query, place)})`
}

function one(c: JsonCompilation, query: Query): Sql {
  const place = rootSource(c, typeOf(c.model, query.type), onlyLocale(query))
  const json = jsonExpression(c, documentJson(c, place, query.select, outline(query)))
  const version = [sql`${column(place, 'id')} as id`, sql`${column(place, 'revision')} as revision`]
  return sql`select ${json} as data, ${sql.join(version)} from ${sql.table(
    place.type.table,
  )} as ${sql.id(place.alias)} where ${matching(c, query, place)} order by ${column(place, 'id')} limit 1`
}

function ofRow(query: Query): OfRow | null {
  const { fields, populate } = query.select
  if (query.where || fields !== null || populate.length > 0) return null
  const { id: showsId, tail } = outline(query)
  return ({ id, served }) => (showsId ? `{"id":${id}${served}${tail}}` : `{${served.slice(1)}${tail}}`)
}
