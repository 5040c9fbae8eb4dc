/** The generated endpoints over HTTP. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { repeatable } from './idempotency.ts'
import { perform } from './operation.ts'
import { isKnown, send } from './outcome.ts'
import type { Server } from './server.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Adds `/api/:name`, `/api/:name/:id` and `/api/:name/:id/actions/:action`. */
export function contentRoutes(app: FastifyInstance, server: Server): void {
  const serve = async (request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) => {
    const { name, id, action } = request.params
    const operation = {
      method: request.method,
      path: id === undefined ? [name] : action === undefined ? [name, id] : [name, id, 'actions', action],
      rawQuery: rawQueryOf(request),
      body: request.body,
      ifMatch: request.headers['if-match'],
      authorization: request.headers.authorization,
    }
    const ifNoneMatch = request.headers['if-none-match']
    const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
    const outcome = await server.withLatestModel(
      (pinned) => (key === undefined ? perform(pinned, operation) : repeatable(pinned, operation, key)),
      isRead(request.method),
    )
    const known = ifNoneMatch !== undefined && isRead(request.method) && isKnown(outcome, ifNoneMatch)
    return send(reply, known ? { ...outcome, status: 304, body: null } : outcome)
  }
  for (const url of ['/api/:name', '/api/:name/:id', '/api/:name/:id/actions/:action']) {
    app.route<{ Params: Params }>({ method: METHODS, url, handler: serve })
  }
}

const isRead = (method: string) => method === 'GET' || method === 'HEAD'

interface Params {
  readonly name: string
  readonly id?: string
  readonly action?: string
}

/** The query string as it was sent. */
export function rawQueryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}
