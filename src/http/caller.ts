/** Questions that routes ask about who is calling. */
import type { FastifyRequest } from 'fastify'
import { type Caller, isAdmin } from '../access/callers.ts'
import type { Writer } from '../access/users.ts'
import { errors } from '../errors.ts'
import { USER } from '../model/model.ts'
import type { Action, Scope } from '../query/scope.ts'
import type { Server } from './server.ts'

/** The caller's scope, when it allows the action. */
export async function permitted(
  server: Server,
  { headers }: FastifyRequest,
  type: string,
  action: Action,
): Promise<Scope> {
  const scope = await server.access.scopeOf(headers.authorization)
  if (!scope.may(type, action)) throw errors.forbidden()
  return scope
}

/** The signed-in user who calls. Nobody is forbidden; an API token is nobody's own credential (as recorded). */
export async function signedInUser(
  server: Server,
  { headers }: FastifyRequest,
): Promise<Extract<Caller, { kind: 'user' }>> {
  const caller = await server.access.callerOf(headers.authorization)
  if (!caller) throw errors.forbidden()
  if (caller.kind !== 'user') throw errors.unauthorized()
  return caller
}

/** The caller as a writer of users, when their scope allows the action. */
export async function permittedWriter(
  server: Server,
  request: FastifyRequest,
  action: 'create' | 'update' | 'delete',
): Promise<Writer> {
  const scope = await permitted(server, request, USER, action)
  const caller = await server.access.callerOf(request.headers.authorization)
  return { scope, admin: caller !== null && isAdmin(caller) }
}

/** The caller with an admin token, or the admin who is signed in. A content token, however full, is neither. */
export async function requireAdmin(server: Server, { headers }: FastifyRequest): Promise<Caller> {
  const caller = await server.access.callerOf(headers.authorization)
  if (!caller || !isAdmin(caller)) throw errors.forbidden()
  return caller
}

/**
 * What a user may see of their own account: all of it, or some fields, and of other users what their role allows anyway.
 * The rule also holds for users that are reached through relations.
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
