/** What routes need to know about the caller. */
import type { FastifyRequest } from 'fastify'
import { type Caller, isAdmin } from '../../access/credentials/callers.ts'
import type { UserWriter } from '../../access/users/users.ts'
import { errors } from '../../errors.ts'
import { USER } from '../../model/model.ts'
import type { Action, Scope } from '../../query/scope.ts'
import { originOf } from '../request/origin.ts'
import type { Server } from '../server.ts'
import { permittedScope } from './permitted.ts'

/** The signed-in user. Anonymous callers get a 403, API tokens a 401 (as recorded). */
export async function signedInUser(
  server: Server,
  { headers }: FastifyRequest,
): Promise<Extract<Caller, { kind: 'user' }>> {
  const caller = await server.access.callerOf(headers.authorization)
  if (!caller) throw errors.forbidden()
  if (caller.kind !== 'user') throw errors.unauthorized()
  return caller
}

/** The caller as a writer of users; throws when the action is not permitted. */
export async function permittedWriter(
  server: Server,
  request: FastifyRequest,
  action: 'create' | 'update' | 'delete',
  documentId: string | null,
): Promise<UserWriter> {
  const { authorization } = request.headers
  const scope = await permittedScope({ server, authorization }, USER, action, documentId)
  const caller = await server.access.callerOf(authorization)
  return { scope, isAdmin: caller !== null && isAdmin(caller), origin: originOf(request) }
}

/** A caller with an admin token, or a signed-in admin. A full-access token is neither. */
export async function requireAdmin(server: Server, { headers }: FastifyRequest): Promise<Caller> {
  const caller = await server.access.callerOf(headers.authorization)
  if (!caller || !isAdmin(caller)) throw errors.forbidden()
  return caller
}

/**
 * The scope extended so that users can read their own account: all fields, or those given. The rule also applies to
 * users reached through relations.
 */
export function ownAccount(scope: Scope, documentId: string, fields?: readonly string[]): Scope {
  const own = { filters: { documentId: { $eq: documentId } }, ...(fields && { fields }) }
  const isRead = (type: string, action: Action) =>
    type === USER && (action === 'find' || action === 'findOne')
  return {
    key: `own:${documentId}:${fields?.join() ?? '*'}:${scope.key}`,
    principal: scope.principal,
    may: (type, action) => isRead(type, action) || scope.may(type, action),
    rule: (type, action) => (isRead(type, action) ? own : scope.rule(type, action)),
  }
}
