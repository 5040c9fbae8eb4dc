/** Whether the server lives, and whether it can serve. */
import type { FastifyInstance } from 'fastify'
import { errors } from '../errors.ts'
import { path } from './method-routes.ts'
import type { Server } from './server.ts'

const [OLD, LIVES, SERVES] = ['/_health', '/healthz', '/readyz'] as const

/** Where the server is asked about itself. */
export const HEALTH_PATHS: readonly string[] = [OLD, LIVES, SERVES]

/** Adds the routes; a server that is about to end lives, but is not to be asked any more. */
export function healthRoutes(app: FastifyInstance, server: Server, isEnding: () => boolean): void {
  path(app, OLD, { GET: async (_request, reply) => reply.code(204).send() })
  path(app, LIVES, { GET: async () => ({ status: 'ok' }) })
  path(app, SERVES, {
    async GET() {
      if (isEnding()) throw errors.unavailable(1, 'The server is about to end')
      if (server.store.durabilityFailure) throw server.store.durabilityFailure
      await server.store.read({ sql: 'select 1 as ready', parameters: [] })
      return { status: 'ok' }
    },
  })
}
