/**
 * The admin API, /admin/api. Its cookie is accepted here only. Routes for the team need a session of the admin app, some
 * of them accept admins with a token too; all others require an admin token or a signed-in admin.
 */
import type { FastifyInstance } from 'fastify'
import { hasNotices } from '../../events/sinks.ts'
import { requireAdmin } from '../auth/caller.ts'
import { requireTeam } from '../auth/team.ts'
import type { ContentResponder } from '../content/respond.ts'
import { noticeRoutes } from '../notices/routes.ts'
import { releaseRoutes } from '../releases/routes.ts'
import { scheduleRoutes } from '../schedules/routes.ts'
import type { Server } from '../server.ts'
import { contentActionRoutes } from './content/action-routes.ts'
import { adminContentRoutes } from './content/routes.ts'
import { endUserRoutes } from './end-users.ts'
import { homeRoutes } from './home/routes.ts'
import { meRoutes } from './me/routes.ts'
import { auditRoutes } from './operations/audit.ts'
import { jobRoutes } from './operations/jobs.ts'
import { projectRoutes } from './project.ts'
import { readAsRoleRoute } from './read-as-role.ts'
import { roleRoutes } from './roles.ts'
import { schemaVersionRoute } from './schemas.ts'
import { accountRoutes } from './session/account.ts'
import { teamCaller } from './session/caller.ts'
import { acceptSessionCookie } from './session/cookie.ts'
import { sessionRoutes } from './session/routes.ts'
import { teamMemberRoutes } from './team/routes.ts'
import { tokenRoutes } from './tokens.ts'
import { adminUserRoutes } from './users.ts'
import { savedViewRoutes, viewRoutes } from './views/routes.ts'

export interface AdminRoutesOptions {
  readonly responder: ContentResponder
  /** Whether content-types can be changed over HTTP. */
  readonly schemaEditable: boolean
  readonly schemaVersion: () => number
  /** Adds further routes that require an admin. */
  readonly more?: (guarded: FastifyInstance) => void
  readonly addUploadRoutes: (app: FastifyInstance, base: string) => Promise<void>
}

export async function adminRoutes(
  app: FastifyInstance,
  server: Server,
  options: AdminRoutesOptions,
): Promise<void> {
  const { config } = server.project
  const { more = () => {} } = options
  await app.register(
    async (api) => {
      api.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store')
      })
      if (config.admin.enabled) {
        acceptSessionCookie(api, config)
        sessionRoutes(api, server)
        schemaVersionRoute(api, options.schemaVersion)
        await api.register((team) => teamRoutes(team, server, options))
      }
      api.register(async (shared) => {
        shared.addHook('onRequest', async (request) => {
          await requireTeam(server, request)
        })
        if (config.schedules.enabled) scheduleRoutes(shared, server)
        if (config.releases.enabled) releaseRoutes(shared, server)
        if (hasNotices(config)) noticeRoutes(shared, server)
      })
      api.register(async (guarded) => {
        guarded.addHook('onRequest', async (request) => {
          await requireAdmin(server, request)
        })
        tokenRoutes(guarded, server)
        roleRoutes(guarded, server)
        readAsRoleRoute(guarded, server)
        adminUserRoutes(guarded, server)
        endUserRoutes(guarded, server)
        projectRoutes(guarded, server)
        viewRoutes(guarded, server)
        teamMemberRoutes(guarded, server)
        auditRoutes(guarded, server)
        jobRoutes(guarded, server)
        more(guarded)
      })
    },
    { prefix: `${config.admin.path}/api` },
  )
}

/** The routes for people who are signed in to the admin app. */
async function teamRoutes(app: FastifyInstance, server: Server, options: AdminRoutesOptions): Promise<void> {
  app.addHook('onRequest', async (request) => {
    await teamCaller(server, request)
  })
  const { responder, addUploadRoutes } = options
  accountRoutes(app, server)
  meRoutes(app, server, options)
  homeRoutes(app, server, responder)
  adminContentRoutes(app, responder)
  contentActionRoutes(app, server, responder)
  savedViewRoutes(app, server)
  await addUploadRoutes(app, '/upload')
}
