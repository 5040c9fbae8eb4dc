/**
 * Reads of documents: a query string in, JSON text out, one statement between. A URL that was asked before is neither
 * parsed nor compiled again (`ready.ts`), and a count is not taken again while its tables stand (`lists.ts`).
 */
import type { ContentType } from '../model/model.ts'
import { bind } from '../plan/plan.ts'
import type { Config } from '../project/config/config.ts'
import type { Cursors } from '../query/cursor.ts'
import type { Page } from '../query/pagination.ts'
import type { ParamObject } from '../query/params.ts'
import { isNumericId, parseQuery, type QueryAccess, type ReadTarget } from '../query/parse-query.ts'
import { type Action, type Scope, systemScope } from '../query/scope.ts'
import { andThen, type MaybePromise } from '../store/maybe-promise.ts'
import type { SqlValue, Statement } from '../store/statement.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Layout } from '../store/tables/layout.ts'
import type { Explanation } from './explain.ts'
import { createLists } from './lists.ts'
import { ANY_DOCUMENT, createReadiness, naming, type Prepared } from './prepared-queries.ts'
import { createReadStats, type ReadStats } from './read-stats.ts'
import { stampOf, type VersionStamp } from './response-cache.ts'
import { documentOf, NEVER } from './rows.ts'
import { versionName } from './version-tag.ts'

export interface ListResult {
  /** JSON text of the list. */
  readonly data: string
  readonly page: Page
  /** Null when no count was asked for. */
  readonly total: number | null
  /** Null unless the page was asked for by cursor. */
  readonly cursors: Cursors | null
  readonly omitted: readonly string[]
  readonly stamp: VersionStamp
}

export interface DocumentResult {
  /** JSON text of the document. */
  readonly data: string
  /** Names the version, for If-Match. */
  readonly version: string
  readonly omitted: readonly string[]
  readonly stamp: VersionStamp
}

/** How the answer to a write will be read, checked before anything is written. */
export interface WriteAnswer extends QueryAccess {
  /** Reads the document in the transaction that wrote it, unless its row is given and tells all. */
  read(
    transaction: Transaction,
    documentId: string,
    row?: { readonly id: number; readonly revision: number; readonly served: string },
  ): Promise<DocumentResult | null>
}

export type RuleTest = (
  transaction: Transaction,
  written: { readonly documentId: string; readonly locale: string; readonly status: 'draft' | 'published' },
) => Promise<boolean>

export interface Reads {
  list(type: ContentType, rawQuery: string, scope: Scope): MaybePromise<ListResult>
  /** The document with this documentId or numeric id, or null. */
  document(type: ContentType, id: string, rawQuery: string, scope: Scope): MaybePromise<DocumentResult | null>
  /** The document of a single type, or null. */
  single(type: ContentType, rawQuery: string, scope: Scope): MaybePromise<DocumentResult | null>
  /**
   * The test that a row rule of the caller puts on a write: whether a document is among those the rule covers. Null
   * without a rule.
   */
  ruleOf(type: ContentType, scope: Scope, action: Action): RuleTest | null
  /** Checks the parameters of a write, of which the answer honours those of a read. */
  forWrite(type: ContentType, params: ParamObject, scope: Scope, kind: 'create' | 'update'): WriteAnswer
  /** How a read would be made, which is not made. */
  explain(type: ContentType, wanted: ReadTarget, rawQuery: string, scope: Scope): Promise<Explanation>
  /** What a read leaves out because the caller may not see it, and where it leads to; throws as the read would. */
  outlook(type: ContentType, wanted: ReadTarget, rawQuery: string, scope: Scope): QueryAccess
  readonly stats: ReadStats
}

/** The reads of one state of the model. */
export function createReads(
  store: Store,
  layout: Layout,
  { api: { rest }, cache }: Pick<Config, 'api' | 'cache'>,
  watch: ReadStats = createReadStats(),
): Reads {
  const readiness = createReadiness(layout, store.dialect, rest, watch)
  const readList = createLists(store, cache.counts, watch)

  const noteDuration = (
    began: number,
    type: ContentType,
    id: string | null,
    rawQuery: string,
    statement: Statement,
  ) => {
    const milliseconds = performance.now() - began
    watch.onDuration(milliseconds)
    if (milliseconds >= watch.slowMs) watch.onSlow({ type, id, rawQuery, statement, milliseconds })
  }

  const readDocument = (
    { plan, checked }: Prepared,
    values: readonly SqlValue[],
    type: ContentType,
    id: string | null,
    rawQuery: string,
  ) => {
    const stamp = stampOf(store, plan.tables)
    const statement = bind(plan.read, values)
    const began = performance.now()
    return andThen(store.readFirstRow(statement, plan.tables), (row) => {
      noteDuration(began, type, id, rawQuery, statement)
      return row && documentOf(row[0], versionName(Number(row[1]), Number(row[2])), checked.omitted, stamp)
    })
  }

  return {
    list(type, rawQuery, scope) {
      const ready = readiness.ofRead(type, { kind: 'list' }, rawQuery, scope)
      const began = performance.now()
      return readList(ready, (statement) => noteDuration(began, type, null, rawQuery, statement))
    },

    document(type, id, rawQuery, scope) {
      if (isNumericId(id)) {
        const ready = readiness.ofRead(type, { kind: 'document', id }, rawQuery, scope)
        return readDocument(ready, ready.checked.values, type, id, rawQuery)
      }
      const ready = readiness.ofRead(type, { kind: 'document', id: ANY_DOCUMENT }, rawQuery, scope)
      return readDocument(ready, naming(ready.checked, id), type, id, rawQuery)
    },

    single(type, rawQuery, scope) {
      const ready = readiness.ofRead(type, { kind: 'single' }, rawQuery, scope)
      return readDocument(ready, ready.checked.values, type, null, rawQuery)
    },

    async explain(type, wanted, rawQuery, scope) {
      const { checked, plan } = readiness.ofRead(type, wanted, rawQuery, scope)
      const prepared = checked.page?.withCount && plan.readAndCount ? plan.readAndCount : plan.read
      const { explain } = await import('./explain.ts')
      return explain(store, layout, checked.query, bind(prepared, checked.values), checked.omitted)
    },

    outlook: (type, wanted, rawQuery, scope) => readiness.ofRead(type, wanted, rawQuery, scope).checked,

    stats: watch,

    ruleOf(type, scope, action) {
      const filters = scope.rule(type.uid, action)?.filters
      if (!filters) return null
      return async (transaction, { documentId, locale, status }) => {
        const named = { documentId: { $eq: documentId } }
        const view = { filters: named, fields: 'id', status, ...(type.localized ? { locale } : {}) }
        const ruled: Scope = { ...systemScope, rule: () => ({ filters }) }
        const { query, values } = parseQuery(type, { kind: 'single' }, view, layout.model, ruled, rest)
        const rows = await transaction.all(bind(readiness.plan(query, values).read, values))
        return rows.length > 0
      }
    },

    forWrite(type, params, scope, kind) {
      const { checked, plan } = readiness.ofWrite(type, params, scope, kind)
      return {
        omitted: checked.omitted,
        accessedTypes: checked.accessedTypes,
        async read(transaction, documentId, written) {
          const answer = (data: unknown, id: number, revision: number) =>
            documentOf(data, versionName(id, revision), checked.omitted, NEVER)
          if (written && plan.fromRow) return answer(plan.fromRow(written), written.id, written.revision)
          const [row] = await transaction.all(bind(plan.read, naming(checked, documentId)))
          return row ? answer(row.data, Number(row.id), Number(row.revision)) : null
        },
      }
    },
  }
}
