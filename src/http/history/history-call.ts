/** A request for history: who asks, and which documents and states the caller may see. */
import type { Origin } from '../../documents/changes/origin.ts'
import type { Documents } from '../../documents/documents.ts'
import {
  type HistoryItem,
  type HistoryReader,
  listHistory,
  newestDocument,
  type ReadState,
  readState,
} from '../../documents/history/read-states.ts'
import { overlayOf } from '../../documents/history/state-overlay.ts'
import { blueprintOf } from '../../documents/rows/blueprint.ts'
import { errors } from '../../errors.ts'
import type { ContentType } from '../../model/model.ts'
import { type ParamObject, refuseUnknownParams } from '../../query/params.ts'
import { isNumericId } from '../../query/parse-query.ts'
import { type Rule, type Scope, systemScope } from '../../query/scope.ts'
import { parseWriteLocale } from '../../query/version-params.ts'
import type { Client } from '../../reads/caller-limits.ts'
import type { DocumentResult } from '../../reads/results.ts'
import { compile } from '../../store/compile.ts'
import { checkPermitted, permittedScope } from '../auth/permitted.ts'
import { type VisibleAuthor, visibleAuthor } from '../auth/visible-author.ts'
import { filtersOfHook } from '../extension/find-hooks.ts'
import type { FindEvent } from '../extension/hooks-and-policies.ts'
import type { Server } from '../server.ts'

export interface HistoryCall {
  readonly server: Server
  readonly type: ContentType
  readonly documents: Documents
  readonly authorization: string | undefined
  readonly rawQuery: string
  readonly ifMatch: string | undefined
  readonly client?: Client | undefined
  readonly origin: () => Origin
}

export const historyReader = ({ server }: Pick<HistoryCall, 'server'>): HistoryReader => ({
  read: (query) => server.store.read(compile(server.store.dialect, query)),
  layout: server.layout(),
})

/** Whether the content-type has history; otherwise its paths do not exist. */
export const hasHistory = ({ server, type }: Pick<HistoryCall, 'server' | 'type'>): boolean =>
  type.history && server.project.config.history.enabled

/** The caller's scope: reading history needs `readHistory` in addition to reading the document itself. */
export async function historyScope(call: HistoryCall, documentId: string | null): Promise<Scope> {
  const { server, type } = call
  const action = type.kind === 'single' ? 'find' : 'findOne'
  const scope = await permittedScope(call, type.uid, 'readHistory', documentId)
  await checkPermitted(server, scope, type.uid, action, documentId)
  return {
    ...scope,
    key: `history ${scope.key}`,
    may: (uid, asked) => scope.may(uid, uid === type.uid && asked === 'findOne' ? action : asked),
    rule: (uid, asked) =>
      uid === type.uid && asked === 'findOne'
        ? bothRules(scope.rule(uid, action), scope.rule(uid, 'readHistory'))
        : scope.rule(uid, asked),
  }
}

/** The limits of two permissions together. */
function bothRules(one: Rule | null, other: Rule | null): Rule | null {
  if (!one || !other) return one ?? other
  const filters = [one.filters, other.filters].filter((filter) => filter !== undefined)
  const fields = one.fields?.filter((name) => other.fields?.includes(name) ?? true) ?? other.fields
  return { ...(filters.length > 0 && { filters: { $and: filters } }), ...(fields && { fields }) }
}

export const mayReadDrafts = ({ type }: HistoryCall, scope: Scope): boolean =>
  !type.draftAndPublish || scope.may(type.uid, 'readDrafts')

export const paramsOf = ({ server, rawQuery }: HistoryCall): ParamObject => server.parseQuery(rawQuery)

/** The parameters of a request that has only these. With `api.rest.strictParams` others are refused. */
export function knownParams(call: HistoryCall, known: readonly string[]): ParamObject {
  const params = paramsOf(call)
  if (call.server.project.config.api.rest.strictParams) refuseUnknownParams(params, known)
  return params
}

/** The requested locale; '' on types that are not localized. */
export const localeOf = (call: HistoryCall, params: ParamObject): string =>
  parseWriteLocale(params, call.type, call.server.layout().model) ?? ''

/** The id of the document; for null that of a single type, which may have been deleted. */
export async function documentIdOf(call: HistoryCall, documentId: string | null): Promise<string> {
  // Paths identify documents by documentId, never by number.
  if (documentId !== null && isNumericId(documentId)) throw errors.notFound()
  if (documentId !== null) return documentId
  const { server, type } = call
  for (const status of ['draft', 'published']) {
    const query = { fields: 'documentId', status }
    const current = await server.reads().single(type, query, systemScope)
    if (current) return String(JSON.parse(current.data).documentId)
  }
  const deleted = await newestDocument(historyReader(call), type)
  if (deleted === null) throw errors.notFound()
  return deleted
}

const versionParams = (type: ContentType, locale: string, status: 'draft' | 'published') => ({
  status,
  ...(type.localized && { locale }),
})

/** The state as the caller reads it; null if the caller may not. */
export async function readAs(
  call: HistoryCall,
  scope: Scope,
  { item, state: { version } }: ReadState,
  query: ParamObject,
): Promise<DocumentResult | null> {
  const { server, type, client } = call
  if (!item.published && !mayReadDrafts(call, scope)) return null
  const overlay = overlayOf(blueprintOf(server.layout(), type), item.documentId, version)
  const params = {
    ...query,
    ...versionParams(type, version.locale, version.published ? 'published' : 'draft'),
  }
  return server.reads().documentIn(overlay, type, item.documentId, params, scope, client)
}

/** The read of a document that the hooks of the project are called for. */
export const readEvent = ({ type }: HistoryCall, scope: Scope, documentId: string): FindEvent => ({
  ...{ type: type.uid, scope },
  ...(type.kind === 'single' ? { action: 'find', documentId: null } : { action: 'findOne', documentId }),
})

/** A query that finds a document or a state if a read would, with the filters that hooks of the project add. */
export const existenceQuery = async (
  call: HistoryCall,
  scope: Scope,
  documentId: string,
): Promise<ParamObject> => ({
  fields: 'documentId',
  ...(await filtersOfHook(call.server, readEvent(call, scope, documentId), call.rawQuery)),
})

/**
 * Refuses callers who may not read the document now: its draft, or its published version. Of a deleted document they must
 * be able to read the last state. `query` is that of `existenceQuery`.
 */
export async function checkReadable(
  call: HistoryCall,
  scope: Scope,
  { documentId, locale }: Pick<HistoryItem, 'documentId' | 'locale'>,
  query: ParamObject,
): Promise<void> {
  if (await isReadable(call, scope, documentId, locale, query)) return
  throw errors.notFound()
}

async function isReadable(
  call: HistoryCall,
  scope: Scope,
  documentId: string,
  locale: string,
  query: ParamObject,
): Promise<boolean> {
  const { server, type } = call
  const exists = async (as: Scope, status: 'draft' | 'published', params: ParamObject) =>
    (await server
      .reads()
      .document(type, documentId, { ...params, ...versionParams(type, locale, status) }, as)) !== null
  const statuses = type.draftAndPublish ? (['draft', 'published'] as const) : (['published'] as const)
  for (const status of statuses)
    if ((status === 'published' || mayReadDrafts(call, scope)) && (await exists(scope, status, query)))
      return true
  for (const status of statuses) if (await exists(systemScope, status, { fields: 'documentId' })) return false
  const page = { documentId, locale, includesDrafts: mayReadDrafts(call, scope), start: 0, limit: 1 }
  const [last] = (await listHistory(historyReader(call), type, page)).items
  if (!last) return false
  const state = await readState(historyReader(call), type, documentId, last.version)
  return state !== null && (await readAs(call, scope, state, query)) !== null
}

/** A saved state in a response, without its content. */
export interface VersionMeta {
  readonly version: number
  readonly documentId: string
  readonly locale: string | null
  readonly action: string
  readonly status: 'draft' | 'published'
  readonly at: string
  readonly by: VisibleAuthor
}

export const versionMeta = (scope: Scope, item: HistoryItem): VersionMeta => ({
  version: item.version,
  documentId: item.documentId,
  locale: item.locale === '' ? null : item.locale,
  action: item.action,
  status: item.published ? 'published' : 'draft',
  at: item.at,
  by: visibleAuthor(scope, item.author),
})
