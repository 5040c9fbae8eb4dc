/** Whether the server lives, and whether it can serve. */
import type { FastifyInstance } from 'fastify'
import type { Server } from './server.ts'

export function healthRoutes(app: FastifyInstance, server: Server): void {
  app.get('/_health', (_request, reply) => reply.code(204).send())
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await server.store.read({ sql: 'select 1 as ready', parameters: [] })
    return { status: 'ok' }
  })
}
