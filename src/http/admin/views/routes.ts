/** Routes for how the admin app shows content: views of content-types and the navigation for admins, saved views for all. */
import type { FastifyInstance } from 'fastify'
import { typeViewOf } from '../../../access/team/type-view.ts'
import type { SavedView } from '../../../access/team/views.ts'
import type { Account } from '../../../access/users/accounts.ts'
import { errors } from '../../../errors.ts'
import { didYouMean } from '../../../project/suggest.ts'
import { declareRoute, type Handler, pathParam } from '../../method-routes.ts'
import { actorOf } from '../../request/actor.ts'
import { bodyOf, dataOf, requiredStrings } from '../../request/fields.ts'
import type { Server } from '../../server.ts'
import { teamCaller } from '../session/caller.ts'
import { parseNavigation, parseSavedView, parseTypeView } from './parse-view.ts'

/** Adds the routes that require an admin. */
export function viewRoutes(app: FastifyInstance, server: Server): void {
  const { views } = server.access

  declareRoute(app, '/views/types/:uid', {
    PUT: async (request) => {
      const { model } = server.layout()
      const uid = pathParam(request, 'uid')
      const type = model.types.get(uid)
      if (!type?.generated)
        throw errors.notFound(`There is no content-type ${uid}${didYouMean(uid, model.types.keys())}`)
      const stored = (await views.types()).get(uid) ?? {}
      const view = parseTypeView(type, stored, bodyOf(bodyOf(request.body).data))
      await views.setType(uid, view)
      const entry = { action: 'view.update', type: uid }
      await server.access.audit.add(await actorOf(server, request), entry)
      return { data: typeViewOf(type, view) }
    },
  })
  declareRoute(app, '/views/navigation', {
    PUT: async (request) => {
      const navigation = parseNavigation(server.layout().model, bodyOf(bodyOf(request.body).data))
      await views.setNavigation(navigation)
      await server.access.audit.add(await actorOf(server, request), { action: 'navigation.update' })
      return { data: navigation }
    },
  })
}

const KEYS = ['type', 'name', 'query', 'shared']

/** Adds the routes of saved views. Each person has their own; admins can share theirs with everyone. */
export function savedViewRoutes(app: FastifyInstance, server: Server): void {
  const { access } = server
  const { views } = access
  const isAdmin = ({ role }: Account) => access.appAccessOf(role) === 'admin'

  function checkMayShare(account: Account, shared: boolean | undefined): void {
    if (shared && !isAdmin(account)) throw errors.forbidden()
  }

  const list: Handler = async (request) => {
    const { account } = await teamCaller(server, request)
    const saved = await views.saved(account.documentId)
    return { data: saved.map((view) => savedViewJson(view, account)) }
  }

  const create: Handler = async (request, reply) => {
    const { account, scope } = await teamCaller(server, request)
    const body = dataOf(request.body, KEYS)
    const text = requiredStrings(body, ['type', 'name'])
    const { query = '', shared = false } = parseSavedView(body)
    checkMayShare(account, shared)
    const type = text('type')
    if (!server.layout().model.types.get(type)?.generated || !scope.may(type, 'find'))
      throw errors.invalidValues([{ path: ['type'], message: `Unknown content-type: ${type}` }])
    const view = { type, name: text('name'), query, shared, account: account.documentId }
    return reply.code(201).send({ data: savedViewJson(await views.save(view), account) })
  }

  const update: Handler = async (request) => {
    const { account } = await teamCaller(server, request)
    const changes = parseSavedView(dataOf(request.body, KEYS))
    checkMayShare(account, changes.shared)
    const changed = await views.changeSaved(pathParam(request, 'id'), account.documentId, changes)
    return { data: savedViewJson(changed, account) }
  }

  const remove: Handler = async (request, reply) => {
    const { account } = await teamCaller(server, request)
    await views.removeSaved(pathParam(request, 'id'), account.documentId, isAdmin(account))
    return reply.code(204).send()
  }

  declareRoute(app, '/saved-views', { GET: list, POST: create })
  declareRoute(app, '/saved-views/:id', { PUT: update, DELETE: remove })
}

export const savedViewJson = ({ account, ...view }: SavedView, { documentId }: Account) => ({
  ...view,
  own: account === documentId,
})
