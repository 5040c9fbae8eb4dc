/** The client of a request. */
import type { FastifyRequest } from 'fastify'
import { rateLimitKeyOf } from '../../access/credentials/rate-limit.ts'
import type { Client } from '../../reads/caller-limits.ts'

export const clientOf = (request: FastifyRequest): Client => ({
  address: () => request.ip,
  isDisconnected: () => request.socket.destroyed,
})

/** The same client for reads, which are limited for all IPv6 addresses of a network together. */
export const byNetwork = ({ address, isDisconnected }: Client): Client => ({
  address: () => rateLimitKeyOf(address()),
  isDisconnected,
})
