/**
 * Responds to a content request. The fast path and the Fastify route both call this; they differ only in whether
 * Fastify's router and hooks ran before.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Origin } from '../../documents/changes/origin.ts'
import type { Client } from '../../reads/caller-limits.ts'
import { andThen, type MaybePromise } from '../../store/maybe-promise.ts'
import type { Positions } from '../../store/store.ts'
import { byNetwork } from '../request/client.ts'
import type { CommonHeaders } from '../response/common-headers.ts'
import { type ContentResponse, revalidate } from '../response/content-response.ts'
import { errorResponse } from '../response/error-response.ts'
import { POSITION, positionAfter, waitForPosition } from '../response/replica-position.ts'
import { sendRaw } from '../response/send.ts'
import type { Server } from '../server.ts'
import { performOnce } from './idempotency.ts'
import { perform } from './operation.ts'

export interface ContentRequest {
  readonly requestId: string
  readonly method: string
  /** The decoded segments of the path after `/api/`. */
  readonly path: readonly string[]
  /** The query string as it was sent. */
  readonly rawQuery: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  readonly client: Client
}

export interface ContentResponder {
  /** Sends the response to a request, or an error. Never throws. */
  respond(request: ContentRequest, raw: ServerResponse): void
  /** Sends an error for a request whose body could not be parsed. Never throws. */
  reject(request: ContentRequest, raw: ServerResponse, thrown: unknown): void
  /** The response to a request, for Fastify to send. Throws what is wrong with the request. */
  responseTo(request: ContentRequest): MaybePromise<ContentResponse>
}

export function createContentResponder(
  server: Server,
  commonHeaders: CommonHeaders,
  positions: Positions | null,
): ContentResponder {
  function responseTo(request: ContentRequest): MaybePromise<ContentResponse> {
    const waiting = waitForPosition(positions, request.headers)
    return waiting ? waiting.then(() => responseNow(request)) : responseNow(request)
  }

  function responseNow(request: ContentRequest) {
    const { method, path, rawQuery, body, headers, client } = request
    const { authorization, 'if-match': ifMatch } = headers
    const operation = {
      method,
      path,
      rawQuery,
      body,
      ifMatch,
      authorization,
      client: byNetwork(client),
      origin: () => originOf(request),
    }
    const isRead = method === 'GET' || method === 'HEAD'
    const key = method === 'POST' ? headers['idempotency-key'] : undefined
    const response = server.withLatestModel(
      (pinned) => (key === undefined ? perform(pinned, operation) : performOnce(pinned, operation, key)),
      isRead,
    )
    const ifNoneMatch = isRead ? headers['if-none-match'] : undefined
    return ifNoneMatch === undefined ? response : andThen(response, (found) => revalidate(found, ifNoneMatch))
  }

  function send(
    { method, headers, requestId }: ContentRequest,
    raw: ServerResponse,
    response: ContentResponse,
  ) {
    const list = commonHeaders.list(headers.origin, requestId)
    const position = positionAfter(positions, method)
    if (position !== null) list.push(POSITION, position)
    sendRaw(raw, list, response)
  }

  function reject(request: ContentRequest, raw: ServerResponse, thrown: unknown): void {
    try {
      sendError(request, raw, thrown)
    } catch (failure) {
      // The error itself cannot be sent, for example because of an invalid header.
      try {
        sendError(request, raw, failure)
      } catch {
        raw.destroy()
      }
    }
  }

  function sendError(request: ContentRequest, raw: ServerResponse, thrown: unknown): void {
    const response = errorResponse(thrown, request.requestId, server.log)
    // A response that has already started cannot become an error.
    if (raw.headersSent) raw.destroy()
    else send(request, raw, response)
  }

  function respond(request: ContentRequest, raw: ServerResponse): void {
    try {
      const response = responseTo(request)
      if (response instanceof Promise)
        response.then((found) => send(request, raw, found)).catch((error) => reject(request, raw, error))
      else send(request, raw, response)
    } catch (error) {
      reject(request, raw, error)
    }
  }

  return { respond, reject, responseTo }
}

const originOf = ({ requestId, client, headers }: ContentRequest): Origin => ({
  requestId,
  address: client.address(),
  userAgent: headers['user-agent'] ?? null,
})
