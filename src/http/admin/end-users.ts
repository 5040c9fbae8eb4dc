/** Routes for the users of the project who are not in the team: they use the content API, not the admin app. For admins. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Account } from '../../access/users/accounts.ts'
import { adminWriter } from '../../access/users/admins.ts'
import { errors } from '../../errors.ts'
import { typeOf, USER } from '../../model/model.ts'
import { didYouMean } from '../../project/suggest.ts'
import { pageMeta } from '../../query/pagination.ts'
import type { ParamObject } from '../../query/params.ts'
import { systemScope } from '../../query/scope.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { actorOf } from '../request/actor.ts'
import { allowedParams } from '../request/allowed-params.ts'
import { type Body, dataOf, requiredStrings } from '../request/fields.ts'
import type { Server } from '../server.ts'

/** What admins may set. Attributes that the project adds to users are content, and written as such. */
const VALUES = ['username', 'email', 'password', 'role', 'blocked', 'confirmed'] as const

const SHOWN: ParamObject = {
  fields: ['username', 'email', 'confirmed', 'blocked', 'createdAt'],
  populate: { role: { fields: ['type', 'name'] } },
}

export function endUserRoutes(app: FastifyInstance, server: Server): void {
  const { access } = server
  const userType = () => typeOf(server.layout().model, USER)

  /** Users without a role included: deleting a role leaves its users without one. */
  async function outsideTeam(): Promise<ParamObject> {
    const team = (await access.roles.types()).filter((type) => access.appAccessOf(type) !== null)
    return { $or: [{ role: { id: { $null: 'true' } } }, { role: { type: { $notIn: team } } }] }
  }

  const list: Handler = async (request) => {
    const { filters, ...query } = allowedParams(['_q', 'filters', 'sort', 'pagination'], { server, request })
    const conditions = [await outsideTeam(), ...(filters === undefined ? [] : [filters])]
    const { data, page, total, cursors } = await server
      .reads()
      .list(userType(), { sort: 'id:desc', ...query, ...SHOWN, filters: { $and: conditions } }, systemScope)
    return { data: JSON.parse(data), meta: { pagination: pageMeta(page, total, cursors) } }
  }

  async function accountOf(request: FastifyRequest): Promise<Account> {
    const id = pathParam(request, 'id')
    const account = /^\d{1,15}$/.test(id) ? await access.accounts.byId(Number(id)) : null
    if (!account || access.appAccessOf(account.role) !== null) throw errors.notFound()
    return account
  }

  async function show(documentId: string) {
    const found = await server.reads().document(userType(), documentId, SHOWN, systemScope)
    if (!found) throw errors.notFound()
    return { data: JSON.parse(found.data) }
  }

  /** Roles are named by their type, as everywhere in the admin API. */
  async function withRole({ role, ...values }: Body): Promise<Body> {
    if (role === undefined) return values
    const documentId = typeof role === 'string' ? await access.roles.documentIdOf(role) : null
    if (documentId !== null) return { ...values, role: documentId }
    const message = `There is no role ${role}${didYouMean(String(role), await access.roles.types())}`
    throw errors.invalidValues([{ path: ['role'], message }])
  }

  const writer = async (request: FastifyRequest) => adminWriter(await actorOf(server, request))

  const create: Handler = async (request, reply) => {
    const values = dataOf(request.body, VALUES)
    requiredStrings(values, ['username', 'email', 'password', 'role'])
    const complete = { confirmed: true, ...(await withRole(values)) }
    const created = await access.users.create(complete, await writer(request), async (_, id) => id)
    return reply.code(201).send(await show(created))
  }

  const update: Handler = async (request) => {
    const account = await accountOf(request)
    const values = await withRole(dataOf(request.body, VALUES))
    await access.users.update(account, values, await writer(request), async () => null)
    return show(account.documentId)
  }

  const remove: Handler = async (request, reply) => {
    await access.users.remove(await accountOf(request), await writer(request))
    return reply.code(204).send()
  }

  declareRoute(app, '/end-users', { GET: list, POST: create })
  declareRoute(app, '/end-users/:id', { PUT: update, DELETE: remove })
}
