/**
 * What stands between the network and the routes: whom to believe about a caller's address, which pages of other
 * origins may read answers, security headers, and the general limit of requests.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import { addressKey, createLimit, type SharedCounts } from '../access/limits.ts'
import type { Config } from '../project/config.ts'
import { StartError } from '../store/failure.ts'
import { HEALTH_PATHS } from './health.ts'
import { REQUEST_ID } from './request-id.ts'

/** Options with which the Fastify app must be made: forwarded headers count only from the configured proxies. */
export const edgeOptions = ({ server }: Config) => ({
  trustProxy: server.trustedProxies.length > 0 ? [...server.trustedProxies] : false,
})

/** The headers that an answer to a page of this origin has whatever it is: names and values in turn. */
export type HeadersFor = (origin: string | undefined) => readonly string[]

/** Puts the edges around every route of the app. To be called before routes are declared. */
export function addEdges(
  app: FastifyInstance,
  { config, access, counts }: { config: Config; access: Access; counts: SharedCounts | undefined },
): HeadersFor {
  const headersFor = addHeaders(app, config)
  if (config.rateLimit.general) addGeneralLimit(app, access, config.rateLimit.general, counts)
  return headersFor
}

/**
 * The headers of every answer, set at once: a hook per concern would cost more than a small read. Answers are data, so
 * nothing in them may run; a route that serves a page sets a policy of its own. Pictures are shown on pages of other
 * origins.
 */
function addHeaders(app: FastifyInstance, { server, cors }: Config): HeadersFor {
  const { origins, credentials } = cors
  if (origins === '*' && credentials)
    throw new StartError('cors.credentials needs a list of origins in cors.origins, not "*"')
  const headers = {
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(server.url?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    ...(origins === '*' ? sharedWith('*', false) : { vary: 'Origin' }),
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header(REQUEST_ID, request.id)
    const { origin } = request.headers
    if (origin === undefined) return done()
    const isListed = origins !== '*' && origins.includes(origin)
    if (isListed) reply.headers(sharedWith(origin, credentials))
    // Any other OPTIONS request asks for the methods of a path.
    if (!(isListed || origins === '*') || !isPreflight(request)) return done()
    reply.code(204).headers(preflightHeaders(request)).send()
  })
  const plain = Object.entries(headers).flat()
  const listed = new Map(
    (origins === '*' ? [] : origins).map((origin) => [
      origin,
      Object.entries({ ...headers, ...sharedWith(origin, credentials) }).flat(),
    ]),
  )
  return (origin) => (origin === undefined ? plain : (listed.get(origin) ?? plain))
}

const EXPOSED_HEADERS = 'ETag, Octavo-Omitted, Octavo-Position, Retry-After, X-Request-Id, X-Total-Count'
const METHODS = 'GET, HEAD, POST, PUT, DELETE'

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

function addGeneralLimit(
  app: FastifyInstance,
  access: Access,
  { requests, windowSeconds }: NonNullable<Config['rateLimit']['general']>,
  counts: SharedCounts | undefined,
): void {
  const limit = createLimit(requests, windowSeconds, Date.now, { name: 'general', counts })
  app.addHook('onRequest', async (request) => {
    // Whoever watches over the server would restart a healthy one if its limit were spent.
    if (!HEALTH_PATHS.includes(request.routeOptions.url ?? ''))
      limit.take(await principalKey(access, request))
  })
}

/** Names the caller; whoever has no valid credential is known by address, whatever they send. */
async function principalKey(access: Access, { headers, ip }: FastifyRequest): Promise<string> {
  try {
    const { principal } = await access.scopeOf(headers.authorization)
    if (principal.kind === 'token' || principal.kind === 'user') return `${principal.kind}:${principal.id}`
  } catch {
    // The route refuses the credential with its own words.
  }
  return addressKey(ip)
}
