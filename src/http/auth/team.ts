/** The callers of routes that are for the whole team, and for admins with a token. */
import type { FastifyRequest } from 'fastify'
import { type Caller, isAdmin } from '../../access/credentials/callers.ts'
import { errors } from '../../errors.ts'
import type { Server } from '../server.ts'

/** Someone who is signed in to the admin app, or an admin. */
export async function requireTeam(server: Server, { headers }: FastifyRequest): Promise<Caller> {
  const caller = await server.access.callerOf(headers.authorization)
  if (!caller || (caller.kind !== 'team' && !isAdmin(caller))) throw errors.forbidden()
  return caller
}
