/** Reads content for a generated route: from the cache, or with the project's hooks, which run every time. */
import type { ContentType } from '../../model/model.ts'
import type { ParamObject } from '../../query/params.ts'
import type { Scope } from '../../query/scope.ts'
import type { Reads } from '../../reads/reads.ts'
import { andThen, type MaybePromise } from '../../store/maybe-promise.ts'
import { dataAfterHook, queryAfterHook } from '../extension/find-hooks.ts'
import type { FindEvent } from '../extension/hooks-and-policies.ts'
import type { ContentResponse } from '../response/content-response.ts'
import type { Server } from '../server.ts'
import { type ReadResult, readCached } from './cached-read.ts'
import { explainResponse, isExplainRequested, mayRequestExplain, type ReadRequest } from './explain.ts'
import { narrowReadScope } from './visible-types.ts'

/** Reads with the query and the scope that remain after hooks and policies. */
export type Reader = (reads: Reads, query: ParamObject, scope: Scope) => MaybePromise<ReadResult>

interface Call {
  readonly server: Server
  readonly type: ContentType
  readonly rawQuery: string
  readonly authorization: string | undefined
}

/** Reads the document with an id; with null, a list or the document of a single type. */
export function read(
  call: Call,
  scope: Scope,
  documentId: string | null,
  reader: Reader,
): MaybePromise<ContentResponse> {
  const { server, type, rawQuery } = call
  const isHooked = server.extension.find?.[type.uid] !== undefined
  return isHooked || mayRequestExplain(rawQuery)
    ? readWithHooks(call, scope, documentId, reader, isHooked)
    : readThroughCache(call, scope, documentId, reader)
}

function readThroughCache(
  call: Call,
  scope: Scope,
  documentId: string | null,
  reader: Reader,
): MaybePromise<ContentResponse> {
  const { server, rawQuery } = call
  const readAs = (narrowed: Scope) =>
    readCached(
      server,
      narrowed,
      () => keyOf(call, narrowed, documentId),
      (reads) => reader(reads, server.parseQuery(rawQuery), narrowed),
    )
  if (!server.extension.policies) return readAs(scope)
  const request = requestOf(call, scope, documentId, server.parseQuery(rawQuery))
  return andThen(narrowReadScope(server, request), (narrowed) => readAs(narrowed.scope))
}

async function readWithHooks(
  call: Call,
  scope: Scope,
  documentId: string | null,
  reader: Reader,
  isHooked: boolean,
): Promise<ContentResponse> {
  const { server, type, rawQuery, authorization } = call
  const isExplained =
    mayRequestExplain(rawQuery) && (await isExplainRequested(server, rawQuery, authorization))
  if (!isHooked && !isExplained) return readThroughCache(call, scope, documentId, reader)
  const action = documentId === null ? 'find' : 'findOne'
  const event: FindEvent = { type: type.uid, action, documentId, scope }
  const query = await queryAfterHook(server, event, rawQuery)
  const request = await narrowReadScope(server, requestOf(call, scope, documentId, query))
  if (isExplained) return explainResponse(server, request)
  const { data, toResponse } = await reader(server.reads(), request.query, request.scope)
  return toResponse(await dataAfterHook(server, event, data), {})
}

const requestOf = ({ type }: Call, scope: Scope, id: string | null, query: ParamObject): ReadRequest =>
  id === null ? { type, query, scope } : { type, query, scope, id }

/** Everything besides the content that a response depends on: the caller's scope, the type, the query. */
const keyOf = ({ type, rawQuery }: Call, scope: Scope, id: string | null) =>
  `${id === null ? 'whole' : `document ${id}`} ${scope.key} ${type.uid} ${rawQuery}`
