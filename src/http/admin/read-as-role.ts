/**
 * `GET /roles/:type/content/:name`: what the content API returns to a caller with this role, so that an admin can see the
 * effect of its permissions. The parameter `user` chooses the user that `$user.…` in restrictions stands for.
 */
import type { FastifyInstance } from 'fastify'
import { principalOf } from '../../access/credentials/callers.ts'
import { scopeOfPermissions } from '../../access/roles/permissions.ts'
import { errors } from '../../errors.ts'
import { didYouMean } from '../../project/suggest.ts'
import type { Scope } from '../../query/scope.ts'
import { perform } from '../content/operation.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { originOf } from '../request/origin.ts'
import { parseQueryString, rawQueryOf, stringifyQuery } from '../request/query-string.ts'
import { sendReply } from '../response/send.ts'
import type { Server } from '../server.ts'

export function readAsRoleRoute(app: FastifyInstance, server: Server): void {
  const read: Handler = async (request, reply) => {
    const { user, ...query } = parseQueryString(rawQueryOf(request), server.project.config.api.rest.bounds)
    const scope = await scopeOfRole(server, pathParam(request, 'type'), user)
    const operation = {
      method: 'GET',
      path: [pathParam(request, 'name')],
      rawQuery: stringifyQuery(query),
      body: undefined,
      ifMatch: undefined,
      authorization: undefined,
      origin: () => originOf(request),
    }
    const response = await server.withLatestModel(
      (pinned) => perform({ ...pinned, access: { ...pinned.access, scopeOf: () => scope } }, operation),
      true,
    )
    return sendReply(reply, response)
  }
  declareRoute(app, '/roles/:type/content/:name', { GET: read })
}

/** Without a user, permissions that depend on one grant nothing, as for a caller who is not signed in. */
async function scopeOfRole({ access }: Server, role: string, user: unknown): Promise<Scope> {
  const known = await access.roles.types()
  if (!known.includes(role)) throw errors.notFound(`There is no role ${role}${didYouMean(role, known)}`)
  const permissions = await access.roles.permissionsOf(role)
  if (user === undefined) return scopeOfPermissions(permissions, { kind: 'public' }, null)
  const account =
    typeof user === 'string' && /^\d{1,15}$/.test(user) ? await access.accounts.byId(Number(user)) : null
  if (account?.role !== role)
    throw errors.invalidParameter('user', null, `expected the id of a user with the role ${role}`)
  return scopeOfPermissions(permissions, principalOf(account), account)
}
