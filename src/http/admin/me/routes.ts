/** `GET /me`: everything the admin app needs to know about the person who is signed in. */
import type { FastifyInstance } from 'fastify'
import type { Navigation } from '../../../access/team/views.ts'
import { FILE } from '../../../model/model.ts'
import type { Scope } from '../../../query/scope.ts'
import { declareRoute } from '../../method-routes.ts'
import type { Server } from '../../server.ts'
import { personJson, teamCaller } from '../session/caller.ts'
import { savedViewJson } from '../views/routes.ts'
import { modelView } from './model-view.ts'

export function meRoutes(app: FastifyInstance, server: Server, schemaEditable: boolean): void {
  declareRoute(app, '/me', {
    GET: async (request) => {
      const { account, scope } = await teamCaller(server, request)
      const { model } = server.layout()
      const { auth, upload, api, server: network, history, schedules } = server.project.config
      const { views } = server.access
      const isAdmin = server.access.appAccessOf(account.role) === 'admin'
      return {
        data: {
          user: await personJson(server, account),
          locales: model.locales,
          settings: {
            passwordMinLength: auth.password.minLength,
            maxFileSize: upload.maxFileSize,
            maxFiles: upload.maxFiles,
            maxPageSize: api.rest.maxLimit,
            schemaEditable,
            serverUrl: network.url,
          },
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
              features: { history: history.enabled, schedules: schedules.enabled },
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

/** Without the types that the person may not see, and without groups that have no others. */
const visibleNavigation = ({ groups }: Navigation, scope: Scope): Navigation => ({
  groups: groups
    .map(({ name, types }) => ({ name, types: types.filter((uid) => scope.may(uid, 'find')) }))
    .filter(({ types }) => types.length > 0),
})
