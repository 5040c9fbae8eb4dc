/** Routes for the settings of a project, without secrets, and for what runs it. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../project/config/config.ts'
import { declareRoute } from '../method-routes.ts'
import { ownVersion } from '../own-version.ts'
import type { Server } from '../server.ts'

export function projectRoutes(app: FastifyInstance, server: Server): void {
  declareRoute(app, '/settings', { GET: async () => ({ data: settingsJson(server.project.config) }) })
  const about = aboutJson(server)
  declareRoute(app, '/about', { GET: async () => ({ data: about }) })
}

/** The address of the database is left out: it may contain a password. */
const aboutJson = ({ project, store, production }: Server) => ({
  version: ownVersion(),
  node: process.versions.node,
  database: store.dialect.name,
  project: project.name,
  production,
})

/** Lists the settings explicitly, so that a new secret in the configuration is never served by default. */
function settingsJson({ server, api, locales, auth, email, rateLimit, cors, upload }: Config) {
  const { secret: _, ...publicAuth } = auth
  const { maxFileSize, maxFiles, images } = upload
  return {
    server,
    api,
    locales,
    auth: publicAuth,
    email: { from: email.from, smtp: email.smtp !== null },
    rateLimit,
    cors,
    upload: { maxFileSize, maxFiles, images },
  }
}
