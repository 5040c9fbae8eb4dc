/** Who sends a request, as the audit log names them. */
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../events/audit/audit-record.ts'
import type { Server } from '../server.ts'
import { originOf } from './origin.ts'

export async function actorOf(server: Pick<Server, 'access'>, request: FastifyRequest): Promise<Actor> {
  const { principal } = await server.access.scopeOf(request.headers.authorization)
  return { by: principal, origin: originOf(request) }
}
