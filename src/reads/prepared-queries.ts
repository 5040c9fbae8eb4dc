/**
 * Queries that are checked and compiled. A query that was read before is neither checked nor compiled again, and queries
 * that differ only in values share one compiled plan.
 */
import type { ContentType } from '../model/model.ts'
import { populatesMany } from '../plan/estimate.ts'
import { knownPage } from '../plan/known-page.ts'
import { compile, type Plan } from '../plan/plan.ts'
import type { Query } from '../plan/query-tree.ts'
import { indexedSearch } from '../plan/search/indexed-search.ts'
import type { Config } from '../project/config/config.ts'
import type { ParamObject } from '../query/params.ts'
import { type CheckedQuery, parseQuery, type ReadTarget } from '../query/parse-query.ts'
import { queryIdentity } from '../query/query-identity.ts'
import type { Scope } from '../query/scope.ts'
import { createSizedCache } from '../sized-cache.ts'
import type { Dialect } from '../store/dialect.ts'
import type { SqlValue } from '../store/statement.ts'
import type { Layout } from '../store/tables/layout.ts'
import type { ReadStats } from './read-stats.ts'

export interface PreparedQuery {
  readonly checked: CheckedQuery
  readonly plan: Plan
  /** Everything that the count depends on, values included; null when that is too long for a key. */
  readonly countKey: string | null
  /** Whether its response may have many times as many documents as its page, so that it has to be estimated. */
  readonly canMultiply: boolean
}

export interface PreparedQueries {
  forRead(type: ContentType, target: ReadTarget, query: ParamObject, scope: Scope): PreparedQuery
  /** For the document that a write returns, by the parameters of the write. */
  forWrite(type: ContentType, query: ParamObject, scope: Scope, kind: 'create' | 'update'): PreparedQuery
  plan(query: Query, values: readonly SqlValue[]): Plan
  /** The plan for a statement with an overlay. */
  overlaid(query: Query): Plan
}

/** Takes the place of the documentId in a prepared query, so that all documents of a type share it. */
export const ANY_DOCUMENT = '\u{1}document'

/** The values of a query for `ANY_DOCUMENT`, with this documentId. */
export const valuesFor = (
  { query: { target }, values }: CheckedQuery,
  documentId: string,
): readonly SqlValue[] =>
  target.kind === 'document' ? values.with(target.documentId.slot, documentId) : values

/** A query without its values, and its plan. */
interface Shape {
  readonly key: string
  readonly query: Query
  readonly plan: Plan
  /** The keys of the cached queries with this shape. */
  readonly usedBy: Set<string>
}

interface CachedQuery {
  readonly prepared: PreparedQuery
  readonly shape: Shape
}

const MAX_BYTES = { queries: 12_582_912, shapes: 16_777_216 }
/** Entries with a longer key are not cached, so that a few long queries do not evict many others. */
const MAX_KEY_LENGTH = 2_000
/** The objects of a prepared query. */
const QUERY_BYTES = 1_000

const textLength = (value: SqlValue) => (typeof value === 'string' ? value.length : 0)

const bytesOfQuery = ({ prepared: { checked, countKey } }: CachedQuery) =>
  QUERY_BYTES +
  2 * ((countKey?.length ?? 0) + checked.values.reduce<number>((sum, value) => sum + textLength(value), 0))

/** The objects of a query take about twice as much as their JSON, which is the key. */
const bytesOfShape = ({ key, plan: { read, readAndCount, search } }: Shape) =>
  2 * key.length +
  [read, readAndCount, search?.choice]
    .map((statement) => (statement ? statement.sql.length + 16 * statement.parameters.length : 0))
    .reduce((sum, bytes) => sum + bytes, 0)

/** The prepared queries of one model. */
export function createPreparedQueries(
  layout: Layout,
  dialect: Dialect,
  rest: Config['api']['rest'],
  stats: ReadStats,
): PreparedQueries {
  const queries = createSizedCache<CachedQuery>({
    maxBytes: MAX_BYTES.queries,
    bytesOf: bytesOfQuery,
    onRemove: ({ shape }, key) => void shape.usedBy.delete(key),
  })
  const shapes = createSizedCache<Shape>({
    maxBytes: MAX_BYTES.shapes,
    bytesOf: bytesOfShape,
    // A query would keep the plan of its shape in memory.
    onRemove: ({ usedBy }) => {
      for (const key of usedBy) queries.delete(key)
    },
  })

  function compiledShape(key: string, query: Query, compileQuery: () => Plan): Shape {
    const cached = shapes.get(key)
    if (cached) {
      stats.plans.hits++
      return cached
    }
    stats.plans.misses++
    const shape = { key, query, plan: compileQuery(), usedBy: new Set<string>() }
    shapes.set(key, shape)
    return shape
  }

  function shapeOf(query: Query, values: readonly SqlValue[]): Shape {
    const search = indexedSearch(query, values, layout)
    const page = knownPage(query, values, search !== null, dialect)
    const key = JSON.stringify([query, page, search?.test])
    return compiledShape(key, query, () => compile(query, layout, dialect, { knownPage: page, search }))
  }

  function prepare(key: string, check: () => CheckedQuery): PreparedQuery {
    const cached = queries.get(key)
    if (cached) {
      stats.urls.hits++
      // As long as its queries are used, so is a shape.
      shapes.get(cached.shape.key)
      return cached.prepared
    }
    stats.urls.misses++
    const checked = check()
    const shape = shapeOf(checked.query, checked.values)
    const prepared: PreparedQuery = {
      // Queries of one shape share its tree.
      checked: { ...checked, query: shape.query },
      plan: shape.plan,
      countKey: countKey(checked),
      canMultiply: populatesMany(checked.query.select),
    }
    // Each page behind a cursor is usually read once; cached, such pages would evict queries that are repeated.
    if (key.length <= MAX_KEY_LENGTH && !checked.cursorPage?.from && shapes.peek(shape.key) === shape) {
      shape.usedBy.add(key)
      queries.set(key, { prepared, shape })
    }
    return prepared
  }

  return {
    plan: (query, values) => shapeOf(query, values).plan,

    overlaid: (query) =>
      compiledShape(`overlaid ${JSON.stringify(query)}`, query, () =>
        compile(query, layout, dialect, { isOverlaid: true }),
      ).plan,

    forRead(type, target, query, scope) {
      const id = target.kind === 'document' ? target.id : ''
      const key = `${type.uid} ${target.kind} ${id} ${scope.key} ${JSON.stringify(query)}`
      return prepare(key, () => parseQuery(type, target, query, layout.model, scope, rest))
    },

    forWrite(type, query, scope, kind) {
      const key = `${type.uid} ${kind} ${scope.key} ${JSON.stringify(query)}`
      return prepare(key, () => {
        const target = { kind: 'document', id: ANY_DOCUMENT, written: true } as const
        const checked = parseQuery(type, target, query, layout.model, scope, rest)
        const id = kind === 'update' || rest.compat === 'strapi'
        return { ...checked, query: { ...checked.query, shape: { ...checked.query.shape, id } } }
      })
    },
  }
}

function countKey({ query: { type, status, locale, where }, values }: CheckedQuery): string | null {
  const key = queryIdentity([type, status, locale, where], values)
  return key.length <= MAX_KEY_LENGTH ? key : null
}
