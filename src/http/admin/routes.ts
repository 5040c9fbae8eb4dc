/** The admin API, /admin/api. Every route requires an admin token or a signed-in admin. */
import type { FastifyInstance } from 'fastify'
import { requireAdmin } from '../auth/caller.ts'
import type { Server } from '../server.ts'
import { projectRoutes } from './project.ts'
import { roleRoutes } from './roles.ts'
import { tokenRoutes } from './tokens.ts'
import { adminUserRoutes } from './users.ts'

/** Adds the admin routes; `more` adds further routes with the same access check. */
export function adminRoutes(
  app: FastifyInstance,
  server: Server,
  more: (guarded: FastifyInstance) => void = () => {},
): void {
  app.register(
    async (guarded) => {
      guarded.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store')
        await requireAdmin(server, request)
      })
      tokenRoutes(guarded, server)
      roleRoutes(guarded, server)
      adminUserRoutes(guarded, server)
      projectRoutes(guarded, server)
      more(guarded)
    },
    { prefix: '/admin/api' },
  )
}
