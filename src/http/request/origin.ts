/** The origin of a write, as change records keep it. */
import type { FastifyRequest } from 'fastify'
import type { Origin } from '../../documents/changes/origin.ts'

export const originOf = ({ id, ip, headers }: FastifyRequest): Origin => ({
  requestId: id,
  address: ip,
  userAgent: headers['user-agent'] ?? null,
})
