/** What a project consists of: its content-types, its locales and its settings, without the secrets among them. */
import type { FastifyInstance } from 'fastify'
import type { Attribute, ContentType } from '../../model/model.ts'
import type { Config } from '../../project/config.ts'
import { path } from '../paths.ts'
import type { Server } from '../server.ts'

export function projectRoutes(app: FastifyInstance, server: Server): void {
  path(app, '/content-types', {
    GET: async () => ({ data: [...server.layout().model.types.values()].map(shownType) }),
  })
  path(app, '/locales', {
    GET: async () => {
      const { locales } = server.layout().model
      return { data: locales.codes.map((code) => ({ code, isDefault: code === locales.default })) }
    },
  })
  path(app, '/settings', { GET: async () => ({ data: shownSettings(server.project.config) }) })
}

const shownType = ({ attributes, ...type }: ContentType) => ({
  ...type,
  attributes: [...attributes.values()].map(shownAttribute),
})

const shownAttribute = (attribute: Attribute) =>
  attribute.kind === 'scalar' ? { ...attribute, regex: attribute.regex?.source ?? null } : attribute

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
