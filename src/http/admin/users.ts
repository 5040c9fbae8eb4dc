/** Routes to list, create, update and delete admins. Other users are written under /api. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Account } from '../../access/users/accounts.ts'
import { errors } from '../../errors.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { actorOf } from '../request/actor.ts'
import { type Body, bodyOf, requiredStrings } from '../request/fields.ts'
import type { Server } from '../server.ts'

export function adminUserRoutes(app: FastifyInstance, server: Server): void {
  const { admins } = server.access

  async function findAdmin(request: FastifyRequest): Promise<Account> {
    const id = pathParam(request, 'id')
    const admin = (await admins.list()).find((one) => String(one.id) === id)
    if (!admin) throw errors.notFound()
    return admin
  }

  const list: Handler = async () => ({ data: (await admins.list()).map(accountJson) })

  const create: Handler = async (request, reply) => {
    const values = parseValues(request)
    requiredStrings(values, ['username', 'email', 'password'])
    return reply
      .code(201)
      .send({ data: accountJson(await admins.create(values, await actorOf(server, request))) })
  }

  const update: Handler = async (request) => {
    const admin = await findAdmin(request)
    return {
      data: accountJson(await admins.update(admin, parseValues(request), await actorOf(server, request))),
    }
  }

  const remove: Handler = async (request, reply) => {
    await admins.remove(await findAdmin(request), await actorOf(server, request))
    return reply.code(204).send()
  }

  const demote: Handler = async (request) => ({
    data: accountJson(await admins.demote(await findAdmin(request), await actorOf(server, request))),
  })

  declareRoute(app, '/users', { GET: list, POST: create })
  declareRoute(app, '/users/:id', { PUT: update, DELETE: remove })
  declareRoute(app, '/users/:id/demote', { POST: demote })
}

/** The role is fixed here: these routes write admins only. */
function parseValues(request: FastifyRequest): Body {
  const values = bodyOf(bodyOf(request.body).data)
  if ('role' in values) throw errors.invalidKey({ key: 'role', path: null, source: 'body' })
  return values
}

/** Lists the fields explicitly: an account also holds a password hash. */
const accountJson = ({ id, documentId, username, email, confirmed, blocked, role }: Account) => ({
  ...{ id, documentId, username, email, confirmed, blocked, role },
})
