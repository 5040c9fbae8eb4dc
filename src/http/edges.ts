/**
 * What stands between the network and the routes: whom to believe about a caller's address, which pages of other
 * origins may read answers, security headers, and the general limit of requests.
 */

import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import { addressKey, createLimit } from '../access/limits.ts'
import type { Config, CorsConfig } from '../project/config.ts'
import { StartError } from '../store/failure.ts'

/** Options with which the Fastify app must be made: forwarded headers count only from the configured proxies. */
export const edgeOptions = ({ server }: Config) => ({
  trustProxy: server.trustedProxies.length > 0 ? [...server.trustedProxies] : false,
})

/** Puts the edges around every route of the app. To be called before routes are declared. */
export async function addEdges(
  app: FastifyInstance,
  { config, access }: { config: Config; access: Access },
): Promise<void> {
  addSecurityHeaders(app, config)
  await addCors(app, config.cors)
  if (config.rateLimit.general) addGeneralLimit(app, access, config.rateLimit.general)
}

/**
 * The same few headers on every answer, set at once. Answers are data, so nothing in them may run; a route that serves a
 * page sets a policy of its own. Pictures are shown on pages of other origins.
 */
function addSecurityHeaders(app: FastifyInstance, { server }: Config): void {
  const headers = {
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(server.url?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

const EXPOSED_HEADERS = ['ETag', 'Octavo-Omitted', 'Retry-After', 'X-Request-Id', 'X-Total-Count']

async function addCors(app: FastifyInstance, { origins, credentials }: CorsConfig): Promise<void> {
  if (origins === '*' && credentials)
    throw new StartError('cors.credentials needs a list of origins in cors.origins, not "*"')
  await app.register(fastifyCors, {
    delegator: (request: FastifyRequest, answer: (none: null, options: FastifyCorsOptions) => void) => {
      const { origin } = request.headers
      const allowed =
        origins === '*' ? '*' : origin !== undefined && origins.includes(origin) ? [origin] : false
      answer(null, {
        origin: allowed,
        credentials: credentials && allowed !== '*',
        methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
        exposedHeaders: EXPOSED_HEADERS,
        maxAge: 600,
        // Any other OPTIONS request asks for the methods of a path.
        preflight: origin !== undefined && 'access-control-request-method' in request.headers,
      })
    },
  })
}

function addGeneralLimit(
  app: FastifyInstance,
  access: Access,
  { requests, windowSeconds }: NonNullable<Config['rateLimit']['general']>,
): void {
  const limit = createLimit(requests, windowSeconds)
  app.addHook('onRequest', async (request) => limit.take(await principalKey(access, request)))
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
