/**
 * The `Octavo-Position` header: the response to a write names the write's position in the database's log. A request that
 * sends the position back waits until its process has seen the write, whichever process that is.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Positions } from '../../store/store.ts'

export const POSITION = 'octavo-position'

/** Waits until this process has seen the writes that the request depends on; null when it already has. */
export function waitForPosition(
  positions: Positions | null,
  { [POSITION]: position }: IncomingHttpHeaders,
): Promise<void> | null {
  if (!positions) return null
  const catchingUp = positions.catchUp()
  return typeof position === 'string'
    ? Promise.resolve(catchingUp).then(() => positions.waitFor(position))
    : catchingUp
}

/** The position to send with a response; null for reads. */
export const positionAfter = (positions: Positions | null, method: string): string | null =>
  positions === null || method === 'GET' || method === 'HEAD' ? null : positions.latest()

/** Applies both to every Fastify route. */
export function addPositionHooks(app: FastifyInstance, positions: Positions): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const waiting = waitForPosition(positions, request.headers)
    if (waiting) waiting.then(() => done(), done)
    else done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    const position = positionAfter(positions, request.method)
    if (position !== null) reply.header(POSITION, position)
    done()
  })
}
