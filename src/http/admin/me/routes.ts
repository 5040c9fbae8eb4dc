/** `GET /me`: everything the admin app needs to know about the person who is signed in. */
import type { FastifyInstance } from 'fastify'
import type { Navigation } from '../../../access/team/views.ts'
import { hasNotices, hasWebhooks } from '../../../events/sinks.ts'
import { FILE, type Model } from '../../../model/model.ts'
import type { Config } from '../../../project/config/config.ts'
import type { Scope } from '../../../query/scope.ts'
import { declareRoute } from '../../method-routes.ts'
import type { Server } from '../../server.ts'
import { personJson, teamCaller } from '../session/caller.ts'
import { savedViewJson } from '../views/routes.ts'
import { modelView } from './model-view.ts'

export interface MeRoutesOptions {
  readonly schemaEditable: boolean
  readonly schemaVersion: () => number
}

export function meRoutes(
  app: FastifyInstance,
  server: Server,
  { schemaEditable, schemaVersion }: MeRoutesOptions,
): void {
  declareRoute(app, '/me', {
    GET: async (request) => {
      const { account, scope } = await teamCaller(server, request)
      const { model } = server.layout()
      const version = schemaVersion()
      const { config } = server.project
      const { auth, upload, api, server: network } = config
      const { views } = server.access
      const isAdmin = server.access.appAccessOf(account.role) === 'admin'
      return {
        data: {
          user: await personJson(server, account),
          locales: localesJson(model),
          settings: {
            passwordMinLength: auth.password.minLength,
            maxFileSize: upload.maxFileSize,
            maxFiles: upload.maxFiles,
            maxPageSize: api.rest.maxLimit,
            schemaEditable,
            schemaVersion: version,
            serverUrl: network.url,
          },
          features: featuresOf(config),
          permissions: {
            admin: isAdmin,
            viewConfiguration: isAdmin,
            upload: Object.fromEntries(
              ['find', 'create', 'update', 'delete'].map((action) => [action, scope.may(FILE, action)]),
            ),
          },
          navigation: visibleNavigation(await views.navigation(), scope),
          ...modelView(
            {
              ...{ model, sources: server.project.sources, views: await views.types() },
              features: featuresOf(config),
            },
            scope,
          ),
          savedViews: (await views.saved(account.documentId))
            .filter(({ type }) => scope.may(type, 'find'))
            .map((view) => savedViewJson(view, account)),
        },
      }
    },
  })
}

const localesJson = ({ locales: { default: standard, codes, names = new Map() } }: Model) => ({
  default: standard,
  codes,
  names: Object.fromEntries(names),
})

/** What the configuration enables. */
const featuresOf = (config: Config) => ({
  history: config.history.enabled,
  schedules: config.schedules.enabled,
  releases: config.releases.enabled,
  notices: hasNotices(config),
  webhooks: hasWebhooks(config),
  audit: config.audit.enabled,
})

/** Without the types that the person may not see, and without groups that have no others. */
const visibleNavigation = ({ groups }: Navigation, scope: Scope): Navigation => ({
  groups: groups
    .map(({ name, types }) => ({ name, types: types.filter((uid) => scope.may(uid, 'find')) }))
    .filter(({ types }) => types.length > 0),
})
