/** The locales of a project and its settings, without the secrets among them. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../project/config/config.ts'
import { path } from '../method-routes.ts'
import type { Server } from '../server.ts'

export function projectRoutes(app: FastifyInstance, server: Server): void {
  path(app, '/locales', {
    GET: async () => {
      const { locales } = server.layout().model
      return { data: locales.codes.map((code) => ({ code, isDefault: code === locales.default })) }
    },
  })
  path(app, '/settings', { GET: async () => ({ data: shownSettings(server.project.config) }) })
}

/** Named one by one, so that a new secret in the configuration is not shown until somebody decides so. */
function shownSettings({ server, api, locales, auth, email, rateLimit, cors, upload }: Config) {
  const { secret: _, ...openAuth } = auth
  const { maxFileSize, maxFiles, images } = upload
  return {
    server,
    api,
    locales,
    auth: openAuth,
    email: { from: email.from, smtp: email.smtp !== null },
    rateLimit,
    cors,
    upload: { maxFileSize, maxFiles, images },
  }
}
