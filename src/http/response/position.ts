/**
 * Positions over HTTP: the answer to a write says where the write lies in the database's log, and a request that brings
 * this along is answered by a process that knows of that write, whichever process that is. Processes of one server know
 * of each other's writes without being asked.
 */
import type { FastifyInstance } from 'fastify'
import type { Positions } from '../../store/store.ts'

export const POSITION = 'octavo-position'

/** Adds the header to every route. */
export function addPositions(app: FastifyInstance, positions: Positions): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const position = request.headers[POSITION]
    const behind = positions.catchUp()
    if (typeof position === 'string') {
      Promise.resolve(behind)
        .then(() => positions.waitFor(position))
        .then(() => done(), done)
    } else if (behind) behind.then(() => done(), done)
    else done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    const position = request.method === 'GET' || request.method === 'HEAD' ? null : positions.latest()
    if (position !== null) reply.header(POSITION, position)
    done()
  })
}
