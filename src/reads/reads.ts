/** Reads documents: takes a query object and returns JSON, with one SQL statement. */
import type { ContentType } from '../model/model.ts'
import { bind } from '../plan/prepared-statement.ts'
import type { Config } from '../project/config/config.ts'
import type { ParamObject } from '../query/params.ts'
import { isNumericId, parseQuery, type QueryAccess, type ReadTarget } from '../query/parse-query.ts'
import { type Action, type Scope, systemScope } from '../query/scope.ts'
import { andThen, type MaybePromise } from '../store/maybe-promise.ts'
import type { ReadLimits } from '../store/reads/read-limits.ts'
import type { SqlValue, Statement } from '../store/statement.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import { type Client, createCallerLimits } from './caller-limits.ts'
import { createEstimates } from './estimates/estimates.ts'
import type { Explanation } from './explain.ts'
import { createLists } from './lists.ts'
import { type Overlay, withOverlay } from './overlay.ts'
import { ANY_DOCUMENT, createPreparedQueries, type PreparedQuery, valuesFor } from './prepared-queries.ts'
import { readInWrite } from './read-in-write.ts'
import { createReadStats, type ReadStats } from './read-stats.ts'
import { stampOf, UNCACHEABLE } from './response-cache.ts'
import { type DocumentResult, jsonOf, type ListResult } from './results.ts'
import { versionTag } from './version-tag.ts'

/** How the document that a write returns will be read; checked before anything is written. */
export interface PreparedWriteResult extends QueryAccess {
  /** Throws if the response would be too large. */
  refuseTooLarge(): MaybePromise<void>
  /** Reads the document in the transaction that wrote it, or builds it from `row` when the row holds everything. */
  read(
    transaction: Transaction,
    documentId: string,
    row?: () => MaybePromise<{ readonly id: number; readonly revision: number; readonly served: string }>,
  ): Promise<DocumentResult | null>
}

export interface RuledVersion {
  readonly documentId: string
  readonly locale: string
  readonly status: 'draft' | 'published'
}

export type RowRuleCheck = (transaction: Transaction, written: RuledVersion) => Promise<boolean>

/** Reads have the limits of their caller; a caller without a credential is known by the address of the client. */
export interface Reads {
  list(type: ContentType, query: ParamObject, scope: Scope, client?: Client): MaybePromise<ListResult>
  /** The document with this documentId or numeric id, or null. */
  document(
    type: ContentType,
    id: string,
    query: ParamObject,
    scope: Scope,
    client?: Client,
  ): MaybePromise<DocumentResult | null>
  /** The document as if it had the content of an overlay, or null. Its statement is not the only one of the request. */
  documentIn(
    overlay: Overlay,
    type: ContentType,
    id: string,
    query: ParamObject,
    scope: Scope,
    client?: Client,
  ): Promise<DocumentResult | null>
  /** The document of a single type, or null. */
  single(
    type: ContentType,
    query: ParamObject,
    scope: Scope,
    client?: Client,
  ): MaybePromise<DocumentResult | null>
  /** A statement that returns a row if the caller's row rule for an action covers a version. Null without a rule. */
  rowRuleStatement(type: ContentType, scope: Scope, action: Action, version: RuledVersion): Statement | null
  /** Checks whether the caller's row rule for an action covers a written document. Null without a rule. */
  rowRuleCheck(type: ContentType, scope: Scope, action: Action): RowRuleCheck | null
  /** Checks the query parameters of a write. Its result honours those that a read of the document has. */
  prepareWriteResult(
    type: ContentType,
    query: ParamObject,
    scope: Scope,
    kind: 'create' | 'update',
  ): PreparedWriteResult
  /** Explains a read without making it. */
  explain(type: ContentType, target: ReadTarget, query: ParamObject, scope: Scope): Promise<Explanation>
  /** What a read omits for lack of permission and which types it accesses; throws what the read would throw. */
  queryAccess(type: ContentType, target: ReadTarget, query: ParamObject, scope: Scope): QueryAccess
  readonly stats: ReadStats
}

/** All callers without a credential share this address unless theirs is given. */
const UNKNOWN_CLIENT: Client = { address: () => '', isDisconnected: () => false }

/** The reads of one model. */
export function createReads(
  store: Store,
  layout: Layout,
  { api: { rest }, cache, limits }: Pick<Config, 'api' | 'cache' | 'limits'>,
  stats: ReadStats = createReadStats(),
): Reads {
  const prepared = createPreparedQueries(layout, store.dialect, rest, stats)
  const readList = createLists(store, cache.counts, stats)
  const estimates = createEstimates(store, layout, limits.readRows)
  const limitsOf = createCallerLimits(limits)
  const usage = stats.usage?.counterFor(layout)

  const recordDuration = (
    start: number,
    type: ContentType,
    id: string | null,
    query: ParamObject,
    statement: Statement,
  ) => {
    const milliseconds = performance.now() - start
    stats.onDuration(milliseconds)
    if (milliseconds >= stats.slowMs) stats.onSlow({ type, id, query, statement, milliseconds })
    return milliseconds
  }

  const readDocument = (
    one: PreparedQuery,
    values: readonly SqlValue[],
    type: ContentType,
    id: string | null,
    query: ParamObject,
    limits: ReadLimits,
  ) => unlessTooLarge(one, () => readAllowed(one, values, type, id, query, limits))

  const readAllowed = (
    { plan, checked: { omitted } }: PreparedQuery,
    values: readonly SqlValue[],
    type: ContentType,
    id: string | null,
    query: ParamObject,
    limits: ReadLimits,
  ) => {
    const stamp = stampOf(store, plan.tables)
    const statement = bind(plan.read, values)
    const start = performance.now()
    return andThen(store.readFirstRow(statement, plan.tables, limits), (row): DocumentResult | null => {
      recordDuration(start, type, id, query, statement)
      if (!row) return null
      return { data: jsonOf(row[0]), version: versionTag(Number(row[1]), Number(row[2])), omitted, stamp }
    })
  }

  /** Makes a read, unless its response would be too large. */
  const unlessTooLarge = <Result>(one: PreparedQuery, read: () => MaybePromise<Result>) =>
    one.canMultiply ? andThen(estimates.refuseTooLarge(one.checked), read) : read()

  const ruleStatement = (
    type: ContentType,
    filters: Readonly<Record<string, unknown>>,
    { documentId, locale, status }: RuledVersion,
  ): Statement => {
    const filter = { documentId: { $eq: documentId } }
    const params = { filters: filter, fields: 'id', status, ...(type.localized ? { locale } : {}) }
    const ruled: Scope = { ...systemScope, rule: () => ({ filters }) }
    const { query, values } = parseQuery(type, { kind: 'single' }, params, layout.model, ruled, rest)
    return bind(prepared.plan(query, values).read, values)
  }

  return {
    list(type, query, scope, client = UNKNOWN_CLIENT) {
      const list = prepared.forRead(type, { kind: 'list' }, query, scope)
      const start = performance.now()
      return unlessTooLarge(list, () =>
        readList(list, limitsOf(scope, client), (statement) => {
          const milliseconds = recordDuration(start, type, null, query, statement)
          usage?.count(list.plan, list.checked, query, milliseconds)
        }),
      )
    },

    document(type, id, query, scope, client = UNKNOWN_CLIENT) {
      const limits = limitsOf(scope, client)
      if (isNumericId(id)) {
        const numbered = prepared.forRead(type, { kind: 'document', id }, query, scope)
        return readDocument(numbered, numbered.checked.values, type, id, query, limits)
      }
      const any = prepared.forRead(type, { kind: 'document', id: ANY_DOCUMENT }, query, scope)
      return readDocument(any, valuesFor(any.checked, id), type, id, query, limits)
    },

    async documentIn(overlay, type, id, query, scope, client = UNKNOWN_CLIENT) {
      const any = prepared.forRead(type, { kind: 'document', id: ANY_DOCUMENT }, query, scope)
      const { query: tree, omitted } = any.checked
      const read = bind(prepared.overlaid(tree).read, valuesFor(any.checked, id))
      const statement = withOverlay(store.dialect, read, overlay)
      const row = await unlessTooLarge(any, () =>
        store.readFirstRow(statement, undefined, limitsOf(scope, client)),
      )
      if (!row) return null
      const version = versionTag(Number(row[1]), Number(row[2]))
      return { data: jsonOf(row[0]), version, omitted, stamp: UNCACHEABLE }
    },

    single(type, query, scope, client = UNKNOWN_CLIENT) {
      const single = prepared.forRead(type, { kind: 'single' }, query, scope)
      return readDocument(single, single.checked.values, type, null, query, limitsOf(scope, client))
    },

    async explain(type, target, query, scope) {
      const { checked, plan } = prepared.forRead(type, target, query, scope)
      const read = checked.page?.withCount && plan.readAndCount ? plan.readAndCount : plan.read
      const { explain } = await import('./explain.ts')
      const estimate = { ...(await estimates.estimate(checked)), limit: limits.readRows }
      const { values } = checked
      const choice = plan.search && bind(plan.search.choice, values)
      return explain(store, layout, checked.query, bind(read, values), checked.omitted, estimate, choice)
    },

    queryAccess: (type, target, query, scope) => prepared.forRead(type, target, query, scope).checked,

    stats,

    rowRuleStatement(type, scope, action, version) {
      const filters = scope.rule(type.uid, action)?.filters
      return filters ? ruleStatement(type, filters, version) : null
    },

    rowRuleCheck(type, scope, action) {
      const filters = scope.rule(type.uid, action)?.filters
      if (!filters) return null
      return async (transaction, written) =>
        (await transaction.all(ruleStatement(type, filters, written))).length > 0
    },

    prepareWriteResult(type, query, scope, kind) {
      const { checked, plan, canMultiply } = prepared.forWrite(type, query, scope, kind)
      const { omitted, accessedTypes } = checked
      const resultOf = (data: string, id: number, revision: number): DocumentResult => ({
        data,
        version: versionTag(id, revision),
        omitted,
        stamp: UNCACHEABLE,
      })
      return {
        omitted,
        accessedTypes,
        refuseTooLarge: () => (canMultiply ? estimates.refuseTooLarge(checked) : undefined),
        async read(transaction, documentId, rowOf) {
          if (rowOf && plan.fromRow) {
            const row = await rowOf()
            return resultOf(plan.fromRow(row), row.id, row.revision)
          }
          const statement = bind(plan.read, valuesFor(checked, documentId))
          const read = await readInWrite(transaction, statement, limitsOf(scope, UNKNOWN_CLIENT), canMultiply)
          return read && resultOf(read.data, Number(read.row.id), Number(read.row.revision))
        },
      }
    },
  }
}
