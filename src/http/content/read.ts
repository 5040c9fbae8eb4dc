/** One read of a generated endpoint: from what is kept when it can be; code of the project is asked each time. */
import type { ContentType } from '../../model/model.ts'
import type { Scope } from '../../query/scope.ts'
import type { Reads } from '../../reads/reads.ts'
import { andThen, type MaybePromise } from '../../store/maybe-promise.ts'
import type { FindEvent } from '../extension/extension.ts'
import { dataAfter, queryBefore } from '../extension/find-hooks.ts'
import type { ContentResponse } from '../response/content-response.ts'
import type { Server } from '../server.ts'
import { type ReadResult, readCached } from './cached-read.ts'
import { type Asked, asksToExplain, explanation, mayAskToExplain } from './explain.ts'
import { asSeen } from './visible-types.ts'

/** Reads with the query and the scope that have come out of it all. */
export type Reader = (reads: Reads, rawQuery: string, scope: Scope) => MaybePromise<ReadResult>

interface Call {
  readonly server: Server
  readonly type: ContentType
  readonly rawQuery: string
  readonly authorization: string | undefined
}

/** Reads a list or the document of a single type, or the document with an id. */
export function read(
  call: Call,
  scope: Scope,
  documentId: string | null,
  reader: Reader,
): MaybePromise<ContentResponse> {
  const { server, type, rawQuery } = call
  const isHooked = server.extension.find?.[type.uid] !== undefined
  return isHooked || mayAskToExplain(rawQuery)
    ? readAround(call, scope, documentId, reader, isHooked)
    : readFromCache(call, scope, documentId, reader)
}

function readFromCache(
  call: Call,
  scope: Scope,
  documentId: string | null,
  reader: Reader,
): MaybePromise<ContentResponse> {
  const { server, rawQuery } = call
  return andThen(asSeen(server, askedOf(call, scope, documentId, rawQuery)), ({ scope: seen }) =>
    readCached(server, keyOf(call, seen, documentId), (reads) => reader(reads, rawQuery, seen)),
  )
}

async function readAround(
  call: Call,
  scope: Scope,
  documentId: string | null,
  reader: Reader,
  isHooked: boolean,
): Promise<ContentResponse> {
  const { server, type, rawQuery, authorization } = call
  const isExplained = mayAskToExplain(rawQuery) && (await asksToExplain(server, rawQuery, authorization))
  if (!isHooked && !isExplained) return readFromCache(call, scope, documentId, reader)
  const action = documentId === null ? 'find' : 'findOne'
  const event: FindEvent = { type: type.uid, action, documentId, scope }
  const asked = await asSeen(
    server,
    askedOf(call, scope, documentId, await queryBefore(server, event, rawQuery)),
  )
  if (isExplained) return explanation(server, asked)
  const { data, toResponse } = await reader(server.reads(), asked.rawQuery, asked.scope)
  return toResponse(await dataAfter(server, event, data))
}

const askedOf = ({ type }: Call, scope: Scope, id: string | null, rawQuery: string): Asked =>
  id === null ? { type, rawQuery, scope } : { type, rawQuery, scope, id }

/** What an answer depends on beside the content: the caller's scope, the type, the query. */
const keyOf = ({ type, rawQuery }: Call, scope: Scope, id: string | null) =>
  `${id === null ? 'whole' : `document ${id}`} ${scope.key} ${type.uid} ${rawQuery}`
