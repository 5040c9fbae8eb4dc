/**
 * What stands between the network and the routes: whom to believe about a caller's address, the headers of every
 * answer, and the general limit of requests.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import { createRateLimit, rateLimitKeyOf, type SharedCounts } from '../access/credentials/rate-limit.ts'
import type { Config } from '../project/config/config.ts'
import { HEALTH_PATHS } from './health.ts'
import type { CommonHeaders } from './response/common-headers.ts'

/** Options with which the Fastify app must be made: forwarded headers count only from the configured proxies. */
export const edgeOptions = ({ server }: Config) => ({
  trustProxy: server.trustedProxies.length > 0 ? [...server.trustedProxies] : false,
})

/** Puts the edges around every route of the app. To be called before routes are declared. */
export function addNetworkEdge(
  app: FastifyInstance,
  {
    config,
    access,
    counts,
    headers,
  }: { config: Config; access: Access; counts: SharedCounts | undefined; headers: CommonHeaders },
): void {
  // All headers are set at once: a hook per concern would cost more than a small read.
  app.addHook('onRequest', (request, reply, done) => {
    if (!headers.startReply(request, reply)) done()
  })
  if (config.rateLimit.general) addGeneralLimit(app, access, config.rateLimit.general, counts)
}

function addGeneralLimit(
  app: FastifyInstance,
  access: Access,
  { requests, windowSeconds }: NonNullable<Config['rateLimit']['general']>,
  counts: SharedCounts | undefined,
): void {
  const limit = createRateLimit(requests, windowSeconds, Date.now, { name: 'general', counts })
  app.addHook('onRequest', async (request) => {
    // Whoever watches over the server would restart a healthy one if its limit were spent.
    if (!HEALTH_PATHS.includes(request.routeOptions.url ?? ''))
      limit.count(await principalKey(access, request))
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
  return rateLimitKeyOf(ip)
}
