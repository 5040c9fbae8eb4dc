/** A query tree becomes a plan: one SQL statement for the engine at hand, ready to be run with any values. */
import { sql } from 'kysely'
import { typeOf } from '../model/model.ts'
import { compileText } from '../store/compile.ts'
import type { Layout } from '../store/layout.ts'
import type { EngineName, SqlValue, Statement } from '../store/store.ts'
import { all, condition, parameter } from './conditions.ts'
import { dialects, type Sql } from './dialect.ts'
import { documentJson, type JsonCompilation, sortValues } from './json.ts'
import { column, publishedFlag, rootPlace } from './place.ts'
import { tablesOf } from './tables.ts'
import type { Query, Slot } from './tree.ts'

/** A statement whose values are still to be filled in. */
interface Prepared {
  readonly sql: string
  readonly parameters: readonly (SqlValue | Slot)[]
}

export interface Plan {
  /**
   * Yields one row with `data`, the JSON of the answer's data, text or bytes; none when there is no such document. Of a
   * single document `revision` follows.
   */
  readonly read: Prepared
  /** The same with the count of all documents that match as `total`; null unless a page is asked for. */
  readonly readAndCount: Prepared | null
  /** The tables whose content the answer depends on. */
  readonly tables: readonly string[]
  /** The tables whose content the count depends on. */
  readonly countTables: readonly string[]
}

/** Fills the values of a query into a prepared statement. */
export function bind(prepared: Prepared, values: readonly SqlValue[]): Statement {
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

/** Compiles a query. The text depends on the shape of the query only, never on a value. */
export function compile(query: Query, layout: Layout, engine: EngineName): Plan {
  const dialect = dialects[engine]
  let aliases = 0
  const c: JsonCompilation = {
    dialect,
    layout,
    model: layout.model,
    published: query.status === 'published' ? 1 : 0,
    shape: query.shape,
    alias: () => `t${aliases++}`,
    condition: (node, place) => condition(c, node, place),
  }
  const prepare = (statement: Sql): Prepared => {
    const compiled = compileText(engine, statement)
    return { sql: compiled.sql, parameters: compiled.parameters.map(parameterOf) }
  }
  const tables = {
    tables: tablesOf(query, layout.model, 'answer'),
    countTables: tablesOf(query, layout.model, 'count'),
  }
  if (query.want.kind !== 'page') return { read: prepare(one(c, query)), readAndCount: null, ...tables }
  const data = dialect.long(page(c, query, query.want))
  return {
    read: prepare(sql`select ${data} as data`),
    readAndCount: prepare(sql`select ${data} as data, ${count(c, query)} as total`),
    ...tables,
  }
}

function parameterOf(value: unknown): SqlValue | Slot {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  if (isSlot(value)) return value
  throw new Error('A plan holds scalars and slots only')
}

const isSlot = (value: unknown): value is Slot =>
  typeof value === 'object' && value !== null && 'slot' in value && typeof value.slot === 'number'

/** Which rows of the root type match. */
function matching(c: JsonCompilation, query: Query, place: ReturnType<typeof rootPlace>): Sql {
  const published = sql`${column(place, 'published')} = ${sql.lit(publishedFlag(c, place.type))}`
  const locale =
    query.locale.kind === 'in'
      ? [sql`${column(place, 'locale')} in (${sql.join(query.locale.values.map(parameter))})`]
      : query.locale.kind === 'none'
        ? [sql`${column(place, 'locale')} = ''`]
        : []
  const document =
    query.want.kind === 'document'
      ? [sql`${column(place, 'document_id')} = ${parameter(query.want.documentId)}`]
      : []
  const where = query.where ? [condition(c, query.where, place)] : []
  return all([...document, published, ...locale, ...where])
}

/** The locale of all rows, when the query asks for one. */
const onlyLocale = ({ locale }: Query): Sql | null =>
  locale.kind === 'in' && locale.values.length === 1 && locale.values[0] ? parameter(locale.values[0]) : null

const outline = (query: Query) => ({ id: query.shape.id, tail: query.shape.meta ? ',"meta":{}' : '' })

/**
 * Chooses the ids of the page first and makes JSON for those rows alone; the rows that an offset skips cost only what
 * finding them costs.
 */
function page(c: JsonCompilation, query: Query, want: Extract<Query['want'], { kind: 'page' }>): Sql {
  const inner = rootPlace(c, typeOf(c.model, query.type), onlyLocale(query))
  const outer = rootPlace(c, typeOf(c.model, query.type), onlyLocale(query))
  const terms = sortValues(c, query.sort, inner)
  const keys = terms.map((term, index) => sql`${term.value} as ${sql.id(`k${index}`)}`)
  const order = (prefix: (index: number) => Sql, id: Sql) => [
    ...terms.map((term, index) => c.dialect.order(prefix(index), term.descending)),
    id,
  ]
  const chosen = sql`select ${sql.join([sql`${column(inner, 'id')} as id`, ...keys])} from ${sql.table(
    inner.type.table,
  )} as ${sql.id(inner.alias)} where ${matching(c, query, inner)} order by ${sql.join(
    order((index) => terms[index]?.value ?? sql`1`, column(inner, 'id')),
  )} limit ${c.dialect.limit(parameter(want.limit))} offset ${parameter(want.start)}`
  const json = documentJson(c, outer, query.select, outline(query))
  const rows = c.dialect.joinRows(
    json,
    order((index) => sql.ref(`p.k${index}`), sql.ref('p.id')),
    true,
  )
  return sql`(select '[' || coalesce(${rows}, '') || ']' from (${chosen}) as p ${c.dialect.join} ${sql.table(
    outer.type.table,
  )} as ${sql.id(outer.alias)} on ${column(outer, 'id')} = p.id)`
}

function count(c: JsonCompilation, query: Query): Sql {
  const place = rootPlace(c, typeOf(c.model, query.type), onlyLocale(query))
  return sql`(select count(*) from ${sql.table(place.type.table)} as ${sql.id(place.alias)} where ${matching(c, query, place)})`
}

function one(c: JsonCompilation, query: Query): Sql {
  const place = rootPlace(c, typeOf(c.model, query.type), onlyLocale(query))
  const json = documentJson(c, place, query.select, outline(query))
  return sql`select ${json} as data, ${column(place, 'revision')} as revision from ${sql.table(
    place.type.table,
  )} as ${sql.id(place.alias)} where ${matching(c, query, place)} order by ${column(place, 'id')} limit 1`
}
