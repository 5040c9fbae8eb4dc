/** Requests made ready to be read: parsed, checked and compiled once, and remembered by what was asked. */
import { LRUCache } from 'lru-cache'
import type { ContentType } from '../model/model.ts'
import { compile, knownPageSize, type Plan } from '../plan/plan.ts'
import type { Query } from '../plan/query-tree.ts'
import type { Config } from '../project/config/config.ts'
import { type ParamObject, parseParams } from '../query/params.ts'
import { type CheckedQuery, parseQuery, type ReadTarget } from '../query/parse-query.ts'
import { queryIdentity } from '../query/query-identity.ts'
import type { Scope } from '../query/scope.ts'
import type { Dialect } from '../store/dialect.ts'
import type { SqlValue } from '../store/statement.ts'
import type { Layout } from '../store/tables/layout.ts'
import type { Beginning } from './page-start.ts'
import type { ReadStats } from './read-stats.ts'

/** A query that is known to be allowed, and its statements. */
export interface Prepared {
  readonly checked: CheckedQuery
  readonly plan: Plan
}

/** A read that only waits to be made. */
export interface Ready extends Prepared {
  /** Names everything the count depends on, values included; null when that is too much to be remembered by. */
  readonly countKey: string | null
  /** Where the page begins, as far as it was seen. */
  begins: Beginning | null
}

export interface Readiness {
  /** The read of a query string. */
  ofRead(type: ContentType, wanted: ReadTarget, rawQuery: string, scope: Scope): Ready
  /** The answer to a write, by the parameters of the write. */
  ofWrite(type: ContentType, params: ParamObject, scope: Scope, kind: 'create' | 'update'): Prepared
  /** The statements of a query that is asked for by nobody outside. */
  plan(query: Query, values: readonly SqlValue[]): Plan
}

/** Stands in a remembered query for the id that the next request brings. */
export const ANY_DOCUMENT = '\u{1}document'

/** The values of a query for the document with this id. */
export const naming = (
  { query: { target: want }, values }: CheckedQuery,
  documentId: string,
): readonly SqlValue[] => (want.kind === 'document' ? values.with(want.documentId.slot, documentId) : values)

/** How much is remembered; what has an uncommonly long key is not, so that nobody can fill the memory with keys. */
const MOST = { urls: 5_000, plans: 1_000, keyLength: 2_000, shapeLength: 20_000 }

/** What is ready for one state of the model. */
export function createReadiness(
  layout: Layout,
  dialect: Dialect,
  rest: Config['api']['rest'],
  watch: ReadStats,
): Readiness {
  const plans = new LRUCache<string, Plan>({ max: MOST.plans })
  const urls = new LRUCache<string, Ready>({ max: MOST.urls })
  const answersToWrites = new LRUCache<string, Prepared>({ max: MOST.plans })

  function plan(query: Query, values: readonly SqlValue[]): Plan {
    const pageSize = knownPageSize(query, values, dialect)
    const shape = `${pageSize ?? ''}${JSON.stringify(query)}`
    const known = plans.get(shape)
    if (known) {
      watch.plans.hits++
      return known
    }
    watch.plans.misses++
    const compiled = compile(query, layout, dialect, pageSize)
    if (shape.length <= MOST.shapeLength) plans.set(shape, compiled)
    return compiled
  }

  return {
    plan,

    ofRead(type, wanted, rawQuery, scope) {
      const id = wanted.kind === 'document' ? wanted.id : ''
      const key = `${type.uid} ${wanted.kind} ${id} ${scope.key} ${rawQuery}`
      const known = urls.get(key)
      if (known) {
        watch.urls.hits++
        return known
      }
      watch.urls.misses++
      const checked = parseQuery(type, wanted, parseParams(rawQuery, rest.bounds), layout.model, scope, rest)
      const ready: Ready = {
        checked,
        plan: plan(checked.query, checked.values),
        countKey: countKey(checked),
        begins: null,
      }
      // A walk asks for each of its places once; remembered, they would drive out what is asked for again.
      if (key.length <= MOST.keyLength && !checked.cursorPage?.from) urls.set(key, ready)
      return ready
    },

    ofWrite(type, params, scope, kind) {
      const key = `${type.uid} ${kind} ${scope.key} ${JSON.stringify(params)}`
      const known = answersToWrites.get(key)
      if (known) return known
      const wanted = { kind: 'document', id: ANY_DOCUMENT, written: true } as const
      const asked = parseQuery(type, wanted, params, layout.model, scope, rest)
      const id = kind === 'update' || rest.compat === 'strapi'
      const checked = { ...asked, query: { ...asked.query, shape: { ...asked.query.shape, id } } }
      const prepared = { checked, plan: plan(checked.query, checked.values) }
      if (key.length <= MOST.keyLength) answersToWrites.set(key, prepared)
      return prepared
    },
  }
}

function countKey({ query: { type, status, locale, where }, values }: CheckedQuery): string | null {
  const key = queryIdentity([type, status, locale, where], values)
  return key.length <= MOST.keyLength ? key : null
}
