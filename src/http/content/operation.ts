/**
 * Performs one operation on content, whether it came as a request of its own or in a batch. The model is looked up at
 * each operation, so a new content-type has its routes immediately.
 */
import type { Origin } from '../../documents/changes/origin.ts'
import type { Documents, WriteRequest, Written } from '../../documents/documents.ts'
import { changesRelationWithoutDraft } from '../../documents/relations/without-draft.ts'
import { blueprintOf } from '../../documents/rows/blueprint.ts'
import { errors } from '../../errors.ts'
import type { ContentType } from '../../model/model.ts'
import { isObject } from '../../project/values.ts'
import type { ParamObject } from '../../query/params.ts'
import { isNumericId } from '../../query/parse-query.ts'
import type { Scope } from '../../query/scope.ts'
import { parseLocale, parseStatus, parseWriteLocale } from '../../query/version-params.ts'
import type { Client } from '../../reads/caller-limits.ts'
import type { Reads } from '../../reads/reads.ts'
import type { DocumentResult, ListResult } from '../../reads/results.ts'
import { andThen, type MaybePromise } from '../../store/maybe-promise.ts'
import type { Transaction } from '../../store/store.ts'
import { checkPermitted, checkPolicies, permittedScope, publishesOnlyOnCreation } from '../auth/permitted.ts'
import { deletedHandlers, historyHandlers } from '../history/handlers.ts'
import { type ContentResponse, documentResponse, listResponse } from '../response/content-response.ts'
import { changeScheduleAction, readScheduleAction } from '../schedules/schedule-action.ts'
import type { Server } from '../server.ts'
import type { ReadResult } from './cached-read.ts'
import { read } from './read.ts'
import { rowRulesOf } from './row-rules.ts'
import { narrowWriteScope } from './visible-types.ts'

export interface Operation {
  readonly method: string
  /** The decoded segments of the path after `/api/`. */
  readonly path: readonly string[]
  readonly rawQuery: string
  readonly body: unknown
  readonly ifMatch: string | undefined
  readonly authorization: string | undefined
  /** Absent for the parts of a batch, which do not read for a caller. */
  readonly client?: Client | undefined
  /** The request, for the record of a change. */
  readonly origin: () => Origin
}

interface Call extends Operation {
  readonly server: Server
  readonly type: ContentType
  readonly documents: Documents
}

type Handler = (call: Call) => MaybePromise<ContentResponse>
type Handlers = Readonly<Record<string, Handler>>

/** Writes go to `documents`: those of the server, or those of an open transaction. */
export function perform(
  server: Server,
  operation: Operation,
  documents: Documents = server.documents,
): MaybePromise<ContentResponse> {
  const [name = '', ...rest] = operation.path
  const type = server.layout().model.endpoints.get(name)
  const handlers = type ? handlersOf(type, rest) : null
  if (!type || !handlers) throw errors.notFound()
  const { method } = operation
  const handler = handlers[method === 'HEAD' ? 'GET' : method]
  if (handler) return handler({ ...operation, server, type, documents })
  const allowed = Object.keys(handlers).flatMap((one) => (one === 'GET' ? ['HEAD', 'GET'] : [one]))
  if (method === 'OPTIONS') return { status: 200, headers: { allow: allowed.join(', ') }, body: null }
  throw errors.methodNotAllowed(method, allowed)
}

function handlersOf(type: ContentType, path: readonly string[]): Handlers | null {
  const [id, word, action, ...more] = path
  const isOfDocument = type.kind === 'collection' && word === 'history'
  if (isOfDocument || (type.kind === 'single' && id === 'history'))
    return historyHandlers(isOfDocument ? (id ?? '') : null, path.slice(isOfDocument ? 2 : 1))
  if (more.length > 0) return null
  if (id === undefined) return type.kind === 'single' ? single : collection
  // PostgreSQL rejects strings with a NUL, and no id has one.
  if (id.includes('\0')) return null
  if (type.kind === 'single')
    return id === 'actions' && action === undefined ? versionHandlers(type, null, word) : null
  if (word === undefined) return id === 'deleted' && type.history ? deletedHandlers : documentHandlers(id)
  return word === 'actions' ? versionHandlers(type, id, action) : null
}

const versionHandlers = (
  type: ContentType,
  documentId: string | null,
  action: string | undefined,
): Handlers | null =>
  !type.draftAndPublish
    ? null
    : action === 'schedule'
      ? scheduleHandlers(documentId)
      : isVersionAction(action)
        ? { POST: versionAction(documentId, action) }
        : null

const collection: Handlers = {
  GET: (call) =>
    andThen(permittedScope(call, call.type.uid, 'find'), (scope) =>
      read(call, scope, null, (reads, query, narrowed) =>
        andThen(reads.list(call.type, query, narrowed, call.client), listRead),
      ),
    ),
  async POST(call) {
    const scope = await permittedScope(call, call.type.uid, 'create')
    const { request, readResult } = await prepareWrite(call, scope, 'create')
    return documentResponse(201, found(await call.documents.create(request, dataOf(call.body), readResult)))
  },
}

const documentHandlers = (id: string): Handlers => ({
  GET: (call) =>
    andThen(permittedScope(call, call.type.uid, 'findOne', id), (scope) =>
      read(call, scope, id, (reads, query, narrowed) =>
        isNumericId(id)
          ? refuseNumericId(reads, call.type, id, query, narrowed)
          : andThen(reads.document(call.type, id, query, narrowed, call.client), documentRead),
      ),
    ),
  async PUT(call) {
    const scope = await permittedScope(call, call.type.uid, 'update', id)
    const { request, readResult } = await prepareWrite(call, scope, 'update', id)
    const data = dataOf(call.body)
    return documentResponse(
      200,
      found(await call.documents.update(request, id, data, readResult, ifMatchOf(call))),
    )
  },
  async DELETE(call) {
    const scope = await permittedScope(call, call.type.uid, 'delete', id)
    await call.documents.remove(deleteRequest(call, scope), id, ifMatchOf(call))
    return NO_CONTENT
  },
})

const single: Handlers = {
  GET: (call) =>
    andThen(permittedScope(call, call.type.uid, 'find'), (scope) =>
      read(call, scope, null, (reads, query, narrowed) =>
        andThen(reads.single(call.type, query, narrowed, call.client), documentRead),
      ),
    ),
  async PUT(call) {
    const scope = await permittedScope(call, call.type.uid, 'update')
    const { request, readResult } = await prepareWrite(call, scope, 'update')
    const data = dataOf(call.body)
    return documentResponse(
      200,
      found(await call.documents.upsertSingle(request, data, readResult, ifMatchOf(call))),
    )
  },
  async DELETE(call) {
    const scope = await permittedScope(call, call.type.uid, 'delete')
    await call.documents.removeSingle(deleteRequest(call, scope), ifMatchOf(call))
    return NO_CONTENT
  },
}

const versionActions = ['publish', 'unpublish', 'discard'] as const
type VersionAction = (typeof versionActions)[number]
const isVersionAction = (name: string | undefined): name is VersionAction =>
  versionActions.some((action) => action === name)

const versionAction =
  (id: string | null, action: VersionAction): Handler =>
  async (call) => {
    const scope = await permittedScope(call, call.type.uid, action, id)
    if (publishesOnlyOnCreation(scope, call.type.uid)) throw errors.forbidden()
    const sent = paramsOf(call)
    parseStatus(sent, call.type)
    // Publish returns the published version, unpublish and discard return the draft.
    const params = { ...sent, status: action === 'publish' ? 'published' : 'draft' }
    const { request, readResult } = await prepareWrite(call, scope, action, id, params)
    return documentResponse(
      200,
      found(await call.documents[action](request, id, readResult, ifMatchOf(call))),
    )
  }

const scheduleHandlers = (id: string | null): Handlers => {
  const ifEnabled =
    (handler: typeof readScheduleAction): Handler =>
    (call) => {
      if (!call.server.project.config.schedules.enabled) throw errors.notFound()
      return handler(call, id)
    }
  return { GET: ifEnabled(readScheduleAction), POST: ifEnabled(changeScheduleAction) }
}

const NO_CONTENT: ContentResponse = { status: 204, headers: {}, body: null }

function found(result: DocumentResult | null): DocumentResult {
  if (!result) throw errors.notFound()
  return result
}

/** Paths identify documents by documentId, never by number. An invalid query is reported before the 404. */
function refuseNumericId(
  reads: Reads,
  type: ContentType,
  id: string,
  query: ParamObject,
  scope: Scope,
): never {
  reads.queryAccess(type, { kind: 'document', id }, query, scope)
  throw errors.notFound()
}

function listRead(list: ListResult): ReadResult {
  const { data, stamp } = list
  return { data, stamp, toResponse: (shown, headers) => listResponse(list, shown, headers) }
}

function documentRead(result: DocumentResult | null): ReadResult {
  const document = found(result)
  const { data, stamp } = document
  return { data, stamp, toResponse: (shown, headers) => documentResponse(200, document, shown, headers) }
}

const paramsOf = ({ server, rawQuery }: Call): ParamObject => server.parseQuery(rawQuery)

/** Checks all parameters of a write before anything is written, and whether the caller may publish. */
async function prepareWrite(
  call: Call,
  given: Scope,
  action: 'create' | 'update' | VersionAction,
  documentId: string | null = null,
  params: ParamObject = paramsOf(call),
) {
  const { server, type } = call
  const kind = action === 'create' ? 'create' : 'update'
  const { scope, result } = await narrowWriteScope(server, type, params, given, kind)
  const locale = parseWriteLocale(params, type, server.layout().model)
  const request = writeRequest(call, scope, params, locale)
  const publishes = type.draftAndPublish && request.status === 'published'
  if (publishes && action !== 'publish') await checkPermitted(server, given, type.uid, 'publish', documentId)
  // The permission and its rules are checked with the write.
  if (!publishes && changesPublished(call))
    await checkPolicies(server, given, type.uid, 'publish', documentId)
  return {
    request,
    readResult: (transaction: Transaction, { documentId, row }: Written) =>
      result.read(transaction, documentId, row),
  }
}

/** Whether a body that is saved as a draft changes a relation that has no draft. */
const changesPublished = ({ server, type, body }: Call): boolean =>
  server.extension.policies !== undefined &&
  isObject(body) &&
  changesRelationWithoutDraft(blueprintOf(server.layout(), type), body.data)

/** A DELETE removes one locale, or all of them with `locale=*`. Its other parameters are only checked. */
function deleteRequest(call: Call, scope: Scope): WriteRequest {
  const params = paramsOf(call)
  const { server, type } = call
  server.reads().prepareWriteResult(type, params, scope, 'update')
  const codes = type.localized ? parseLocale(params, server.layout().model) : null
  if (codes && codes !== '*' && codes.length > 1)
    throw errors.invalidParameter('locale', null, 'expected one locale, or * for all')
  return writeRequest(call, scope, params, codes === '*' ? '*' : (codes?.[0] ?? null))
}

function writeRequest(call: Call, scope: Scope, params: ParamObject, locale: string | null): WriteRequest {
  const { server, type } = call
  const rules = rowRulesOf(server, scope)
  return { type, status: parseStatus(params, type), locale, scope, rules, origin: call.origin() }
}

/** The `data` of a body, which must be an object or a list. */
function dataOf(body: unknown): unknown {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
  if (typeof data !== 'object' || data === null) {
    throw errors.invalid(
      'The body must be JSON of the form {"data": {…}}, sent with the content type application/json',
    )
  }
  return data
}

const ifMatchOf = ({ ifMatch }: Call) => (ifMatch === undefined ? {} : { ifMatch })
