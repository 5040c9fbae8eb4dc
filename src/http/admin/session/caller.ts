/** The person who is signed in to the admin app. */
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../../access/credentials/callers.ts'
import type { TeamSession } from '../../../access/team/team-sessions.ts'
import type { Account } from '../../../access/users/accounts.ts'
import { errors } from '../../../errors.ts'
import { ROLE, typeOf } from '../../../model/model.ts'
import { systemScope } from '../../../query/scope.ts'
import type { Server } from '../../server.ts'

export type TeamCaller = Extract<Caller, { kind: 'team' }>

/** Throws a 401 unless the request has the cookie of a session. */
export async function teamCaller(server: Server, { headers }: FastifyRequest): Promise<TeamCaller> {
  const caller = await server.access.callerOf(headers.authorization)
  if (caller?.kind !== 'team') throw errors.unauthorized()
  return caller
}

/** An account as the admin app shows it to its owner. */
export async function personJson(server: Server, account: Account) {
  const { access } = server
  const { id, documentId, username, email, role } = account
  return {
    ...{ id, documentId, username, email },
    role: { type: role, name: await roleName(server, role), access: access.appAccessOf(role) },
    secondFactor: await access.secondFactors.isRequired(documentId),
  }
}

/** The display name of a role, or its type if there is none. */
export async function roleName(server: Server, role: string | null): Promise<string | null> {
  const documentId = role === null ? null : await server.access.roles.documentIdOf(role)
  if (documentId === null) return role
  const type = typeOf(server.layout().model, ROLE)
  const found = await server.reads().document(type, documentId, { fields: 'name' }, systemScope)
  return found ? String(JSON.parse(found.data).name) : role
}

/** A session in the list of a person's sessions, without what identifies its cookie. */
export const openSessionJson = ({
  id,
  createdAt,
  lastUsedAt,
  expiresAt,
  address,
  userAgent,
}: TeamSession) => ({
  ...{ id, createdAt, lastUsedAt, expiresAt, address, userAgent },
})
