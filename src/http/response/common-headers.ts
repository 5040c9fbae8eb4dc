/**
 * The headers that every answer has, whatever it is: which pages of other origins may read it, what browsers may do with
 * it, and the name of the request.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../project/config/config.ts'
import { StartError } from '../../store/errors.ts'
import { REQUEST_ID } from '../request/request-id.ts'

/** The headers that an answer to a page of this origin has, but for the name of the request: names and values in turn. */
export type HeadersFor = (origin: string | undefined) => readonly string[]

export interface CommonHeaders {
  readonly headersFor: HeadersFor
  /** All of them, for a request that does not get as far as the app; of its own headers those that are known. */
  readonly unrouted: (headers: IncomingHttpHeaders) => readonly string[]
  /** Sets them on the answer to a request. Says whether the request is answered with that, as a preflight is. */
  readonly begin: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/**
 * Answers are data, so nothing in them may run, and no page may frame them; a route that serves a page sets a policy of
 * its own. Every header takes time with every answer, so there is none that these make superfluous.
 */
export function createCommonHeaders(
  { server, cors }: Config,
  requestId: (request: { readonly headers: IncomingHttpHeaders }) => string,
): CommonHeaders {
  const { origins, credentials } = cors
  if (origins === '*' && credentials)
    throw new StartError('cors.credentials needs a list of origins in cors.origins, not "*"')
  const headers = {
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    ...(server.url?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    ...(origins === '*' ? sharedWith('*', false) : { vary: 'Origin' }),
  }
  const plain = Object.entries(headers).flat()
  const listed = new Map(
    (origins === '*' ? [] : origins).map((origin) => [
      origin,
      Object.entries({ ...headers, ...sharedWith(origin, credentials) }).flat(),
    ]),
  )
  const headersFor: HeadersFor = (origin) => (origin === undefined ? plain : (listed.get(origin) ?? plain))

  return {
    headersFor,
    unrouted: (known) => [...headersFor(known.origin), REQUEST_ID, requestId({ headers: known })],
    begin(request, reply) {
      reply.headers(headers).header(REQUEST_ID, request.id)
      const { origin } = request.headers
      if (origin === undefined) return false
      const isListed = origins !== '*' && origins.includes(origin)
      if (isListed) reply.headers(sharedWith(origin, credentials))
      // Any other OPTIONS request asks for the methods of a path.
      if (!(isListed || origins === '*') || !isPreflight(request)) return false
      reply.code(204).headers(preflightHeaders(request)).send()
      return true
    },
  }
}

/** For answers that may be pages, or stand in them, whatever policy they set: those of a project's own routes. */
export const PAGE_HEADERS = {
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

const EXPOSED_HEADERS =
  'ETag, Idempotency-Replayed, Octavo-Omitted, Octavo-Position, Retry-After, X-Request-Id, X-Total-Count'
/** No generated path has PATCH; routes of a project may. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** What lets pages of an origin read an answer. */
const sharedWith = (origin: string, credentials: boolean) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': EXPOSED_HEADERS,
  ...(credentials ? { 'access-control-allow-credentials': 'true' } : {}),
})

const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && 'access-control-request-method' in headers

/** A page may send any header; which methods a path has, the path tells. */
const preflightHeaders = ({ headers }: FastifyRequest) => ({
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
  'access-control-max-age': '600',
  vary: 'Origin, Access-Control-Request-Headers',
  'content-length': '0',
})
