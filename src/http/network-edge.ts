/**
 * What every Fastify route has in common: trusted proxies, the common headers, and the general rate limit. Headers and
 * limit are not Fastify plugins: the fast path sends the same headers, and all worker processes share one count.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import { createRateLimit, rateLimitKeyOf, type SharedCounts } from '../access/credentials/rate-limit.ts'
import type { Config } from '../project/config/config.ts'
import { HEALTH_PATHS } from './health.ts'
import type { CommonHeaders } from './response/common-headers.ts'

/** Options of the Fastify app: forwarded headers are trusted only from the configured proxies. */
export const proxyOptions = ({ server }: Config) => ({
  trustProxy: server.trustedProxies.length > 0 ? [...server.trustedProxies] : false,
})

/** Must be called before routes are declared. */
export function addNetworkEdge(
  app: FastifyInstance,
  {
    config,
    access,
    counts,
    headers,
  }: { config: Config; access: Access; counts: SharedCounts | undefined; headers: CommonHeaders },
): void {
  // One hook for all headers, because each hook costs time on every request.
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
    // A monitor that exceeds the limit would restart a healthy server.
    if (!HEALTH_PATHS.includes(request.routeOptions.url ?? ''))
      limit.count(await principalKey(access, request))
  })
}

/** Identifies the caller; without a valid credential, by address. */
async function principalKey(access: Access, { headers, ip }: FastifyRequest): Promise<string> {
  try {
    const { principal } = await access.scopeOf(headers.authorization)
    if (principal.kind === 'token' || principal.kind === 'user') return `${principal.kind}:${principal.id}`
  } catch {
    // The route will refuse the credential.
  }
  return rateLimitKeyOf(ip)
}
