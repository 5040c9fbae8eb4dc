/** The admin interface, /admin/api: behind one gate that an admin token opens, and an admin who is signed in. */
import type { FastifyInstance } from 'fastify'
import { requireAdmin } from '../auth/caller.ts'
import type { Server } from '../server.ts'
import { projectRoutes } from './project.ts'
import { roleRoutes } from './roles.ts'
import { tokenRoutes } from './tokens.ts'
import { adminUserRoutes } from './users.ts'

/** Adds the admin routes. Others may add theirs inside the same gate with `more`. */
export function adminRoutes(
  app: FastifyInstance,
  server: Server,
  more: (gated: FastifyInstance) => void = () => {},
): void {
  app.register(
    async (gated) => {
      gated.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store')
        await requireAdmin(server, request)
      })
      tokenRoutes(gated, server)
      roleRoutes(gated, server)
      adminUserRoutes(gated, server)
      projectRoutes(gated, server)
      more(gated)
    },
    { prefix: '/admin/api' },
  )
}
