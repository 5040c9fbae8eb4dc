/** Performs operations of the content API on behalf of a person, for the routes of the admin app that need several. */
import type { FastifyRequest } from 'fastify'
import { errors } from '../../../errors.ts'
import type { ContentType } from '../../../model/model.ts'
import { isObject, type Values } from '../../../project/values.ts'
import type { ParamObject } from '../../../query/params.ts'
import type { Scope } from '../../../query/scope.ts'
import type { ContentRequest, ContentResponder } from '../../content/respond.ts'
import { pathParam } from '../../method-routes.ts'
import { clientOf } from '../../request/client.ts'
import { stringifyQuery } from '../../request/query-string.ts'
import { type ContentResponse, jsonIn } from '../../response/content-response.ts'
import type { Server } from '../../server.ts'
import { type TeamCaller, teamCaller } from '../session/caller.ts'

export interface ContentCall {
  readonly server: Server
  readonly responder: ContentResponder
  readonly request: FastifyRequest
  readonly caller: TeamCaller
  readonly scope: Scope
  readonly type: ContentType
  /** The path segment of the type. */
  readonly name: string
}

export async function contentCall(
  server: Server,
  responder: ContentResponder,
  request: FastifyRequest,
): Promise<ContentCall> {
  const caller = await teamCaller(server, request)
  const name = pathParam(request, 'name')
  const type = server.layout().model.endpoints.get(name)
  if (!type) throw errors.notFound()
  return { server, responder, request, caller, scope: caller.scope, type, name }
}

export interface ContentOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The segments after the one of the type. */
  readonly path?: readonly string[]
  readonly query: ParamObject
  readonly data?: unknown
}

/** Throws what is wrong with the operation. */
export async function performFor(
  { request, responder, name }: ContentCall,
  { method, path = [], query, data }: ContentOperation,
): Promise<ContentResponse> {
  const { authorization } = request.headers
  const content: ContentRequest = {
    requestId: request.id,
    method,
    path: [name, ...path],
    rawQuery: stringifyQuery(query),
    headers: { authorization },
    body: data === undefined ? undefined : { data },
    client: clientOf(request),
  }
  return responder.responseTo(content)
}

/** The document in a response. */
export function dataIn(response: ContentResponse): Values {
  const { data } = jsonIn(response)
  return isObject(data) ? data : {}
}

export interface PageBody {
  readonly documents: readonly Values[]
  /** Null on the last page, and when the page was not requested by cursor. */
  readonly nextCursor: string | null
}

/** The documents in the response to a list. */
export function pageIn(response: ContentResponse): PageBody {
  const { data, meta } = jsonIn(response)
  const pagination = isObject(meta) && isObject(meta.pagination) ? meta.pagination : {}
  return {
    documents: Array.isArray(data) ? data.filter(isObject) : [],
    nextCursor: typeof pagination.nextCursor === 'string' ? pagination.nextCursor : null,
  }
}
