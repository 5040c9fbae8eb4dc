/** Admins: listed, made, changed and removed. Other users are written under /api. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fullAccess } from '../../access/roles/permissions.ts'
import type { Account } from '../../access/users/accounts.ts'
import { errors } from '../../errors.ts'
import type { Scope } from '../../query/scope.ts'
import { requireAdmin } from '../auth/caller.ts'
import { type Handler, parameter, path } from '../method-routes.ts'
import { type Body, bodyOf, texts } from '../request/fields.ts'
import type { Server } from '../server.ts'

export function adminUserRoutes(app: FastifyInstance, server: Server): void {
  const { admins } = server.access

  /** An admin may do this by being one, whatever their role allows on the content interface. */
  async function scopeOf(request: FastifyRequest): Promise<Scope> {
    const { scope } = await requireAdmin(server, request)
    return fullAccess(scope.principal)
  }

  async function adminIn(request: FastifyRequest): Promise<Account> {
    const id = parameter(request, 'id')
    const admin = (await admins.list()).find((one) => String(one.id) === id)
    if (!admin) throw errors.notFound()
    return admin
  }

  const list: Handler = async () => ({ data: (await admins.list()).map(shown) })

  const create: Handler = async (request, reply) => {
    const values = valuesIn(request)
    texts(values, ['username', 'email', 'password'])
    return reply.code(201).send({ data: shown(await admins.create(values, await scopeOf(request))) })
  }

  const update: Handler = async (request) => {
    const admin = await adminIn(request)
    return { data: shown(await admins.update(admin, valuesIn(request), await scopeOf(request))) }
  }

  const remove: Handler = async (request, reply) => {
    await admins.remove(await adminIn(request), await scopeOf(request))
    return reply.code(204).send()
  }

  const demote: Handler = async (request) => ({
    data: shown(await admins.demote(await adminIn(request), await scopeOf(request))),
  })

  path(app, '/users', { GET: list, POST: create })
  path(app, '/users/:id', { PUT: update, DELETE: remove })
  path(app, '/users/:id/demote', { POST: demote })
}

/** What is written about an admin. That they are one is said by where it is sent. */
function valuesIn(request: FastifyRequest): Body {
  const values = bodyOf(bodyOf(request.body).data)
  if ('role' in values) throw errors.invalidKey({ key: 'role', path: null, source: 'body' })
  return values
}

/** Named one by one: an account also holds the hash of its password. */
const shown = ({ id, documentId, username, email, confirmed, blocked, role }: Account) => ({
  ...{ id, documentId, username, email, confirmed, blocked, role },
})
