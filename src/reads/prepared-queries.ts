/**
 * Queries that are checked and compiled. A query that was read before is neither checked nor compiled again, and queries
 * that differ only in values share one compiled plan.
 */
import { LRUCache } from 'lru-cache'
import type { ContentType } from '../model/model.ts'
import { populatesMany } from '../plan/estimate.ts'
import { compile, knownPageSize, type Plan } from '../plan/plan.ts'
import type { Query } from '../plan/query-tree.ts'
import { indexedSearch } from '../plan/search/indexed-search.ts'
import type { Config } from '../project/config/config.ts'
import type { ParamObject } from '../query/params.ts'
import { type CheckedQuery, parseQuery, type ReadTarget } from '../query/parse-query.ts'
import { queryIdentity } from '../query/query-identity.ts'
import type { Scope } from '../query/scope.ts'
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

/** Entries with a longer key are not cached, so that clients cannot fill the memory with keys. */
const LIMITS = { queries: 5_000, plans: 1_000, queryKeyLength: 2_000, planKeyLength: 20_000 }

/** The prepared queries of one model. */
export function createPreparedQueries(
  layout: Layout,
  dialect: Dialect,
  rest: Config['api']['rest'],
  stats: ReadStats,
): PreparedQueries {
  const plans = new LRUCache<string, Plan>({ max: LIMITS.plans })
  const queries = new LRUCache<string, PreparedQuery>({ max: LIMITS.queries })

  function plan(query: Query, values: readonly SqlValue[]): Plan {
    const pageSize = knownPageSize(query, values, dialect)
    const search = indexedSearch(query, values, layout)
    const key = `${pageSize ?? ''}${JSON.stringify(query)}${search ? JSON.stringify(search.test) : ''}`
    const cached = plans.get(key)
    if (cached) {
      stats.plans.hits++
      return cached
    }
    stats.plans.misses++
    const compiled = compile(query, layout, dialect, { pageSize, search })
    if (key.length <= LIMITS.planKeyLength) plans.set(key, compiled)
    return compiled
  }

  function prepare(key: string, check: () => CheckedQuery): PreparedQuery {
    const cached = queries.get(key)
    if (cached) {
      stats.urls.hits++
      return cached
    }
    stats.urls.misses++
    const checked = check()
    const prepared = {
      checked,
      plan: plan(checked.query, checked.values),
      countKey: countKey(checked),
      canMultiply: populatesMany(checked.query.select),
    }
    // Each page behind a cursor is usually read once; cached, such pages would evict queries that are repeated.
    if (key.length <= LIMITS.queryKeyLength && !checked.cursorPage?.from) queries.set(key, prepared)
    return prepared
  }

  function overlaid(query: Query): Plan {
    const key = `overlaid ${JSON.stringify(query)}`
    const plan = plans.get(key) ?? compile(query, layout, dialect, { isOverlaid: true })
    if (key.length <= LIMITS.planKeyLength) plans.set(key, plan)
    return plan
  }

  return {
    plan,
    overlaid,

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
  return key.length <= LIMITS.queryKeyLength ? key : null
}
