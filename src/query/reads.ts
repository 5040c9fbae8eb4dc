/**
 * Reads of documents: a query string in, JSON text out, one statement between. A URL that was asked before is neither
 * parsed nor compiled again, and a count is not taken again while its tables stand.
 */
import { LRUCache } from 'lru-cache'
import type { ContentType } from '../model/model.ts'
import { bind, compile, knownPage, type Plan } from '../plan/plan.ts'
import type { Query } from '../plan/tree.ts'
import type { Config } from '../project/config.ts'
import type { Layout } from '../store/layout.ts'
import { type Soon, unlessOutdated, whenThere } from '../store/soon.ts'
import type { SqlValue, Statement, Store, Transaction } from '../store/store.ts'
import { type Stamp, stampOf } from './answers.ts'
import { type Beginning, beginningOf, bindPage } from './beginning.ts'
import type { Explanation } from './explain.ts'
import { identityOf } from './identity.ts'
import type { Page } from './pagination.ts'
import { type ParamObject, parseParams } from './params.ts'
import { type Checked, check, isNumericId, type Outlook, type Wanted } from './parse.ts'
import { documentOf, listOf, NEVER } from './rows.ts'
import { type Action, type Scope, systemScope } from './scope.ts'
import { versionName } from './version-name.ts'
import { type Cursors, partOf } from './walk.ts'
import { createReadWatch, type ReadWatch } from './watch.ts'

export interface ListAnswer {
  /** JSON text of the list. */
  readonly data: string
  readonly page: Page
  /** Null when no count was asked for. */
  readonly total: number | null
  /** Null unless the page was asked for by cursor. */
  readonly cursors: Cursors | null
  readonly omitted: readonly string[]
  readonly stamp: Stamp
}

export interface DocumentAnswer {
  /** JSON text of the document. */
  readonly data: string
  /** Names the version, for If-Match. */
  readonly version: string
  readonly omitted: readonly string[]
  readonly stamp: Stamp
}

/** How the answer to a write will be read, checked before anything is written. */
export interface WriteAnswer extends Outlook {
  /** Reads the document in the transaction that wrote it. */
  read(transaction: Transaction, documentId: string): Promise<DocumentAnswer | null>
}

export type RuleTest = (
  transaction: Transaction,
  written: { readonly documentId: string; readonly locale: string; readonly status: 'draft' | 'published' },
) => Promise<boolean>

export interface Reads {
  list(type: ContentType, rawQuery: string, scope: Scope): Soon<ListAnswer>
  /** The document with this documentId or numeric id, or null. */
  document(type: ContentType, id: string, rawQuery: string, scope: Scope): Soon<DocumentAnswer | null>
  /** The document of a single type, or null. */
  single(type: ContentType, rawQuery: string, scope: Scope): Soon<DocumentAnswer | null>
  /**
   * The test that a row rule of the caller puts on a write: whether a document is among those the rule covers. Null
   * without a rule.
   */
  ruleOf(type: ContentType, scope: Scope, action: Action): RuleTest | null
  /** Checks the parameters of a write, of which the answer honours those of a read. */
  forWrite(type: ContentType, params: ParamObject, scope: Scope, kind: 'create' | 'update'): WriteAnswer
  /** How a read would be made, which is not made. */
  explain(type: ContentType, wanted: Wanted, rawQuery: string, scope: Scope): Promise<Explanation>
  /** What a read leaves out because the caller may not see it, and where it leads to; throws as the read would. */
  outlook(type: ContentType, wanted: Wanted, rawQuery: string, scope: Scope): Outlook
  readonly watch: ReadWatch
}

interface Ready {
  readonly checked: Checked
  readonly plan: Plan
  /** Names everything the count depends on, values included. */
  readonly countKey: string
  begins: Beginning | null
}

/** Stands in a cached query for the id that the next request brings. */
const ANY_DOCUMENT = '\u{1}document'

/** How much is remembered; what has an uncommonly long key is not, so that nobody can fill the memory with keys. */
const CACHED = { urls: 5_000, plans: 1_000, counts: 5_000, keyLength: 2_000, shapeLength: 20_000 }

/** The reads of one state of the model. */
export function createReads(
  store: Store,
  layout: Layout,
  { api: { rest }, cache }: Pick<Config, 'api' | 'cache'>,
  watch: ReadWatch = createReadWatch(),
): Reads {
  const plans = new LRUCache<string, Plan>({ max: CACHED.plans })
  const urls = new LRUCache<string, Ready>({ max: CACHED.urls })
  const answersToWrites = new LRUCache<string, Pick<Ready, 'checked' | 'plan'>>({ max: CACHED.plans })
  const counts = new LRUCache<string, { readonly versions: string; readonly total: number }>({
    max: CACHED.counts,
  })

  const planOf = (query: Query, values: readonly SqlValue[]): Plan => {
    const pageSize = knownPage(query, values, store.engine)
    const shape = `${pageSize ?? ''}${JSON.stringify(query)}`
    const known = plans.get(shape)
    if (known) {
      watch.plans.hits++
      return known
    }
    watch.plans.misses++
    const plan = compile(query, layout, store.engine, pageSize)
    if (shape.length <= CACHED.shapeLength) plans.set(shape, plan)
    return plan
  }

  const prepare = (type: ContentType, wanted: Wanted, rawQuery: string, scope: Scope): Ready => {
    const id = wanted.kind === 'document' ? wanted.id : ''
    const key = `${type.uid} ${wanted.kind} ${id} ${scope.key} ${rawQuery}`
    const known = urls.get(key)
    if (known) {
      watch.urls.hits++
      return known
    }
    watch.urls.misses++
    const checked = check(type, wanted, parseParams(rawQuery, rest.bounds), layout.model, scope, rest)
    const plan = planOf(checked.query, checked.values)
    const ready: Ready = { checked, plan, countKey: countKey(checked), begins: null }
    // A walk asks for each of its places once; remembered, they would drive out what is asked for again.
    if (key.length <= CACHED.keyLength && !checked.walk?.from) urls.set(key, ready)
    return ready
  }

  const prepareWrite = (
    type: ContentType,
    params: ParamObject,
    scope: Scope,
    kind: 'create' | 'update',
  ): Pick<Ready, 'checked' | 'plan'> => {
    const key = `${type.uid} ${kind} ${scope.key} ${JSON.stringify(params)}`
    const known = answersToWrites.get(key)
    if (known) return known
    const wanted = { kind: 'document', id: ANY_DOCUMENT, written: true } as const
    const asked = check(type, wanted, params, layout.model, scope, rest)
    const id = kind === 'update' || rest.compat === 'strapi'
    const checked = { ...asked, query: { ...asked.query, shape: { ...asked.query.shape, id } } }
    const ready = { checked, plan: planOf(checked.query, checked.values) }
    if (key.length <= CACHED.keyLength) answersToWrites.set(key, ready)
    return ready
  }

  const noteDuration = (
    began: number,
    type: ContentType,
    id: string | null,
    rawQuery: string,
    statement: Statement,
  ) => {
    const milliseconds = performance.now() - began
    watch.took(milliseconds)
    if (milliseconds >= watch.slowAfter) watch.slow({ type, id, rawQuery, statement, milliseconds })
  }

  const readDocument = (
    { plan, checked }: Ready,
    values: readonly SqlValue[],
    type: ContentType,
    id: string | null,
    rawQuery: string,
  ) => {
    const stamp = stampOf(store, plan.tables)
    const statement = bind(plan.read, values)
    const began = performance.now()
    return whenThere(store.readRow(statement, plan.tables), (row) => {
      noteDuration(began, type, id, rawQuery, statement)
      return row && documentOf(row[0], versionName(Number(row[1]), Number(row[2])), checked.omitted, stamp)
    })
  }

  return {
    list(type, rawQuery, scope) {
      const ready = prepare(type, { kind: 'list' }, rawQuery, scope)
      const { checked, plan, countKey } = ready
      const { page, values, omitted } = checked
      if (!page) throw new Error('A list has a page')
      const stamp = stampOf(store, plan.tables)
      const { versions } = stampOf(store, plan.countTables)
      const known = page.withCount ? counts.get(countKey) : undefined
      let remembered = known?.versions === versions ? known.total : null
      if (page.withCount) watch.counts[remembered === null ? 'misses' : 'hits']++
      const readAndCount = page.withCount ? plan.readAndCount : null
      const bound =
        remembered === null && readAndCount
          ? bind(readAndCount, values)
          : bindPage(plan, checked, versions, ready.begins)
      const relies = remembered !== null || ready.begins?.versions === versions
      const hasMoved = () => relies && stampOf(store, plan.countTables).versions !== versions
      const anew = () => {
        remembered = null
        return bind(readAndCount ?? plan.read, values)
      }
      const began = performance.now()
      const totalOf = (counted: unknown) => {
        noteDuration(began, type, null, rawQuery, bound)
        if (!page.withCount || remembered !== null) return remembered
        const total = Number(counted)
        if (cache.counts && countKey.length <= CACHED.keyLength) counts.set(countKey, { versions, total })
        return total
      }
      const { walk } = checked
      if (walk) {
        const read = (statement: Statement) => store.read(statement, plan.tables)
        return whenThere(
          unlessOutdated(read(bound), hasMoved, () => read(anew())),
          (rows) => {
            const total = totalOf(rows[0]?.total)
            return { ...partOf(walk, rows, page.limit), page, total, omitted, stamp }
          },
        )
      }
      const read = (statement: Statement) => store.readRow(statement, plan.tables)
      return whenThere(
        unlessOutdated(read(bound), hasMoved, () => read(anew())),
        (row) => {
          const total = totalOf(row?.[1])
          if (cache.counts && page.start > 0 && ready.begins?.versions !== versions)
            ready.begins = beginningOf(plan, versions, row?.[0])
          return { data: listOf(plan, row?.[0]), page, total, cursors: null, omitted, stamp }
        },
      )
    },

    document(type, id, rawQuery, scope) {
      if (isNumericId(id)) {
        const ready = prepare(type, { kind: 'document', id }, rawQuery, scope)
        return readDocument(ready, ready.checked.values, type, id, rawQuery)
      }
      const ready = prepare(type, { kind: 'document', id: ANY_DOCUMENT }, rawQuery, scope)
      return readDocument(ready, naming(ready.checked, id), type, id, rawQuery)
    },

    single(type, rawQuery, scope) {
      const ready = prepare(type, { kind: 'single' }, rawQuery, scope)
      return readDocument(ready, ready.checked.values, type, null, rawQuery)
    },

    async explain(type, wanted, rawQuery, scope) {
      const { checked, plan } = prepare(type, wanted, rawQuery, scope)
      const prepared = checked.page?.withCount && plan.readAndCount ? plan.readAndCount : plan.read
      const { explain } = await import('./explain.ts')
      return explain(store, layout, checked.query, bind(prepared, checked.values), checked.omitted)
    },

    outlook: (type, wanted, rawQuery, scope) => prepare(type, wanted, rawQuery, scope).checked,

    watch,

    ruleOf(type, scope, action) {
      const filters = scope.rule(type.uid, action)?.filters
      if (!filters) return null
      return async (transaction, { documentId, locale, status }) => {
        const named = { documentId: { $eq: documentId } }
        const view = { filters: named, fields: 'id', status, ...(type.localized ? { locale } : {}) }
        const ruled: Scope = { ...systemScope, rule: () => ({ filters }) }
        const checked = check(type, { kind: 'single' }, view, layout.model, ruled, rest)
        return (
          (await transaction.all(bind(planOf(checked.query, checked.values).read, checked.values))).length > 0
        )
      }
    },

    forWrite(type, params, scope, kind) {
      const { checked, plan } = prepareWrite(type, params, scope, kind)
      return {
        omitted: checked.omitted,
        reached: checked.reached,
        async read(transaction, documentId) {
          const [row] = await transaction.all(bind(plan.read, naming(checked, documentId)))
          return row
            ? documentOf(row.data, versionName(Number(row.id), Number(row.revision)), checked.omitted, NEVER)
            : null
        },
      }
    },
  }
}

const naming = ({ query: { want }, values }: Checked, documentId: string): readonly SqlValue[] =>
  want.kind === 'document' ? values.with(want.documentId.slot, documentId) : values

const countKey = ({ query: { type, status, locale, where }, values }: Checked): string =>
  identityOf([type, status, locale, where], values)
