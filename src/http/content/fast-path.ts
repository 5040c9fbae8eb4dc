/**
 * The fast path: content requests that need nothing from Fastify skip its router, hooks and request
 * objects. These cost about as much as reading one document. Everything unusual takes the Fastify route.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Access } from '../../access/access.ts'
import { labelResponse } from '../metrics/observed-response.ts'
import { parseContentBody } from '../request/body.ts'
import { JSON_TYPE } from '../response/content-response.ts'
import type { ContentResponder } from './respond.ts'

/** Answers a request and returns true, or returns false and leaves the request to Fastify. */
export type FastPath = (request: IncomingMessage, raw: ServerResponse) => boolean

export interface FastPathOptions {
  readonly responder: ContentResponder
  readonly access: Pick<Access, 'scopeOf'>
  readonly requestIdOf: (request: IncomingMessage) => string
  readonly addressOf: (request: IncomingMessage) => string
  /** The largest body in bytes. */
  readonly bodyLimit: number
  /** Whether only generated routes have this name after `/api/`. */
  readonly isGenerated: (name: string) => boolean
  /** Whether a request is for the live feed. */
  readonly isFeed: (name: string, method: string, headers: IncomingHttpHeaders) => boolean
}

/** `/api/name` and `/api/name/id` without percent-encoding. */
const PLAIN_PATH = /^\/api\/([\w-]{1,100})(?:\/([\w-]{1,100}))?(?:\?|$)/

export function createFastPath(options: FastPathOptions): FastPath {
  const { responder, access, requestIdOf, addressOf, bodyLimit, isGenerated, isFeed } = options
  return (request, raw) => {
    const { headers, method = '', url = '' } = request
    const match = PLAIN_PATH.exec(url)
    const [matched = '', name = '', id] = match ?? []
    const isPlain = method === 'GET' ? hasNoBody(headers) : hasPlainBody(method, headers, bodyLimit)
    if (!match || !isPlain || !isGenerated(name) || isFeed(name, method, headers)) return false
    const requestId = requestIdOf(request)
    labelResponse(raw, id === undefined ? '/api/:name' : '/api/:name/:id', name, requestId)
    const path = id === undefined ? [name] : [name, id]
    const rawQuery = url.slice(matched.length)
    const client = { address: () => addressOf(request), isDisconnected: () => request.socket.destroyed }
    const content = { requestId, method, path, rawQuery, headers, body: undefined, client }
    if (method === 'GET') {
      responder.respond(content, raw)
      return true
    }
    const receive = () =>
      readJson(
        request,
        (body) => responder.respond({ ...content, body }, raw),
        (error) => {
          // The client may have meant something else by the bytes that follow.
          raw.shouldKeepAlive = false
          responder.reject(content, raw, error)
        },
      )
    const refuse = (error: unknown) => responder.reject(content, raw, error)
    try {
      // Before the body is read; the next request finds the caller in the cache.
      const scope = access.scopeOf(headers.authorization)
      if (scope instanceof Promise) scope.then(receive, refuse)
      else receive()
    } catch (error) {
      refuse(error)
    }
    return true
  }
}

const hasNoBody = (headers: IncomingHttpHeaders) =>
  headers['content-length'] === undefined && headers['transfer-encoding'] === undefined

/** Whether the body is plain JSON of a declared length within the limit. */
function hasPlainBody(method: string, headers: IncomingHttpHeaders, bodyLimit: number): boolean {
  const { 'content-length': length, 'content-type': type } = headers
  return (
    (method === 'POST' || method === 'PUT') &&
    (type === 'application/json' || type === JSON_TYPE) &&
    headers['content-encoding'] === undefined &&
    length !== undefined &&
    Number(length) <= bodyLimit
  )
}

/** Parses the body once all of it has arrived. A request that breaks off calls neither function. */
function readJson(
  request: IncomingMessage,
  onBody: (body: unknown) => void,
  onInvalid: (error: unknown) => void,
): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => void chunks.push(chunk))
  request.on('error', () => {})
  request.on('end', () => {
    let body: unknown
    try {
      body = parseContentBody(Buffer.concat(chunks))
    } catch (error) {
      return onInvalid(error)
    }
    onBody(body)
  })
}
