/** Questions that routes ask about who is calling. */
import type { FastifyRequest } from 'fastify'
import { type Caller, isAdmin } from '../../access/credentials/callers.ts'
import type { Writer } from '../../access/users/users.ts'
import { errors } from '../../errors.ts'
import { USER } from '../../model/model.ts'
import type { Action, Scope } from '../../query/scope.ts'
import type { Server } from '../server.ts'
import { permitted } from './permitted.ts'

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

/** The caller as a writer of users, when they may do the action. */
export async function permittedWriter(
  server: Server,
  { headers: { authorization } }: FastifyRequest,
  action: 'create' | 'update' | 'delete',
  documentId: string | null,
): Promise<Writer> {
  const scope = await permitted({ server, authorization }, USER, action, documentId)
  const caller = await server.access.callerOf(authorization)
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
