/** Checks where a request of a browser comes from: a page must not reach a local server by a name that it controls. */
import type { FastifyRequest } from 'fastify'
import { errors } from '../../errors.ts'
import type { Config } from '../../project/config/config.ts'

/**
 * Accepts requests without an Origin header, which are not from a page, and those from the public address of this server,
 * from an origin in `cors.origins`, and between pages and servers of one machine. The Host header proves
 * nothing: in a DNS rebinding attack it equals the origin.
 */
export function checkMcpOrigin({ headers, hostname }: FastifyRequest, config: Config): void {
  const { origin } = headers
  if (origin === undefined) return
  const { url } = config.server
  const isOwn = url !== null && new URL(url).origin === origin
  const isListed = config.cors.origins !== '*' && config.cors.origins.includes(origin)
  const isLocal = isLoopback(hostname) && URL.canParse(origin) && isLoopback(new URL(origin).hostname)
  if (!isOwn && !isListed && !isLocal) throw errors.originNotAllowed(origin)
}

const isLoopback = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|::1)$/i.test(hostname)
