/**
 * The headers of every response: CORS, security policy and request id. @fastify/cors is not used: it is a hook, which the
 * fast path does not run.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../project/config/config.ts'
import { StartError } from '../../store/errors.ts'
import { REQUEST_ID } from '../request/request-id.ts'

export interface CommonHeaders {
  /** The headers of the response to a request from this origin: a new list, names and values alternating. */
  readonly list: (origin: string | undefined, requestId: string) => string[]
  /** The same for a request that never reached the app. */
  readonly forUnrouted: (headers: IncomingHttpHeaders) => string[]
  /** Sets them on a Fastify reply, and responds to a CORS preflight. Returns whether it did the latter. */
  readonly startReply: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/**
 * Responses are data: no script may run in them and no page may frame them. A route that serves a page sets its own
 * policy. Each header costs time on every response, so there is none that these make redundant.
 */
export function createCommonHeaders(
  { server, cors }: Config,
  requestIdOf: (request: { readonly headers: IncomingHttpHeaders }) => string,
): CommonHeaders {
  const { origins, credentials } = cors
  if (origins === '*' && credentials)
    throw new StartError('cors.credentials requires a list of origins in cors.origins, not "*"')
  const security = {
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    ...(server.url?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
  const anyOrigin = origins === '*'
  const withoutOrigin = Object.entries({
    ...security,
    ...(anyOrigin ? corsHeaders('*', false) : { vary: 'Origin' }),
  }).flat()
  const byOrigin = new Map(
    (anyOrigin ? [] : origins).map((origin) => [
      origin,
      Object.entries({ ...security, vary: 'Origin', ...corsHeaders(origin, credentials) }).flat(),
    ]),
  )

  const list: CommonHeaders['list'] = (origin, requestId) => {
    const headers = origin === undefined ? withoutOrigin : (byOrigin.get(origin) ?? withoutOrigin)
    return [...headers, REQUEST_ID, requestId]
  }

  return {
    list,
    forUnrouted: (headers) => list(headers.origin, requestIdOf({ headers })),
    startReply(request, reply) {
      const { origin } = request.headers
      const headers = list(origin, request.id)
      for (let index = 0; index < headers.length; index += 2)
        reply.header(headers[index] ?? '', headers[index + 1])
      const isAllowed = origin !== undefined && (anyOrigin || byOrigin.has(origin))
      // Any other OPTIONS request asks for the methods of a path.
      if (!isAllowed || !isPreflight(request)) return false
      reply.code(204).headers(preflightHeaders(request)).send()
      return true
    },
  }
}

/** For the routes of a project, whose responses may be pages or parts of pages. */
export const PAGE_HEADERS = {
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

const EXPOSED_HEADERS =
  'ETag, Idempotency-Replayed, Octavo-Hint, Octavo-Omitted, Octavo-Position, Retry-After, X-Request-Id, X-Total-Count'
/** No generated route has PATCH, but a project's own may. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** Lets pages of an origin read the response. */
const corsHeaders = (origin: string, credentials: boolean) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': EXPOSED_HEADERS,
  ...(credentials ? { 'access-control-allow-credentials': 'true' } : {}),
})

const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && 'access-control-request-method' in headers

/** A page may send any header and use any method; the path itself decides which methods it has. */
const preflightHeaders = ({ headers }: FastifyRequest) => ({
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
  'access-control-max-age': '600',
  vary: 'Origin, Access-Control-Request-Headers',
  'content-length': '0',
})
