/**
 * What stands between the network and the routes: whom to believe about a caller's address, which pages of other
 * origins may read answers, security headers, and the general limit of requests.
 */

import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import fastifyHelmet from '@fastify/helmet'
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
  await addSecurityHeaders(app, config)
  await addCors(app, config.cors)
  if (config.rateLimit.general) addGeneralLimit(app, access, config.rateLimit.general)
}

async function addSecurityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(fastifyHelmet, {
    // Answers are data. A route that serves a page sets a policy of its own.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Pictures are shown on pages of other origins.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    hsts: config.server.url?.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  })
}

const EXPOSED_HEADERS = ['ETag', 'Octavo-Omitted', 'Retry-After', 'X-Request-Id']

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
