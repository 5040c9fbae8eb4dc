/** Health checks: whether the process runs, and whether it can serve requests. */
import type { FastifyInstance } from 'fastify'
import { errors } from '../errors.ts'
import { declareRoute } from './method-routes.ts'
import type { Server } from './server.ts'

const [LEGACY, LIVE, READY] = ['/_health', '/healthz', '/readyz'] as const

export const HEALTH_PATHS: readonly string[] = [LEGACY, LIVE, READY]

/** A server that is shutting down is live, but not ready. */
export function healthRoutes(app: FastifyInstance, server: Server, isShuttingDown: () => boolean): void {
  declareRoute(app, LEGACY, { GET: async (_request, reply) => reply.code(204).send() })
  declareRoute(app, LIVE, { GET: async () => ({ status: 'ok' }) })
  declareRoute(app, READY, {
    async GET() {
      if (isShuttingDown()) throw errors.unavailable(1, 'The server is shutting down')
      if (server.store.durabilityFailure) throw server.store.durabilityFailure
      await server.store.read({ sql: 'select 1 as ready', parameters: [] })
      return { status: 'ok' }
    },
  })
}
