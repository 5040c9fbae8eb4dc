/** The generated endpoints over HTTP. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { andThen, type MaybePromise } from '../../store/maybe-promise.ts'
import { type Outcome, send, unlessKnown } from '../response/outcome.ts'
import type { Server } from '../server.ts'
import { repeatable } from './idempotency.ts'
import { type Operation, perform } from './operation.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The paths of the generated endpoints. */
export const CONTENT_PATHS: readonly string[] = ['/api/:name', '/api/:name/:id'].flatMap((what) => [
  what,
  `${what}/actions/:action`,
])

/** Adds them. */
export function contentRoutes(app: FastifyInstance, server: Server): void {
  const serve = async (request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) => {
    const { name, id, action } = request.params
    const outcome = await answerTo(server, {
      method: request.method,
      path: [name, ...(id === undefined ? [] : [id]), ...(action === undefined ? [] : ['actions', action])],
      rawQuery: rawQueryOf(request),
      body: request.body,
      headers: request.headers,
    })
    return send(reply, outcome)
  }
  for (const url of CONTENT_PATHS) app.route<{ Params: Params }>({ method: METHODS, url, handler: serve })
}

/** A request to a generated endpoint, as it came over HTTP. */
type ContentRequest = Pick<Operation, 'method' | 'path' | 'rawQuery' | 'body'> & {
  readonly headers: IncomingHttpHeaders
}

/** What is answered to a request; throws or rejects with what is wrong with it. */
export function answerTo(
  server: Server,
  { method, path, rawQuery, body, headers }: ContentRequest,
): MaybePromise<Outcome> {
  const { authorization, 'if-match': ifMatch } = headers
  const operation = { method, path, rawQuery, body, ifMatch, authorization }
  const key = method === 'POST' ? headers['idempotency-key'] : undefined
  const reads = isRead(method)
  const outcome = server.withLatestModel(
    (pinned) => (key === undefined ? perform(pinned, operation) : repeatable(pinned, operation, key)),
    reads,
  )
  const ifNoneMatch = reads ? headers['if-none-match'] : undefined
  if (ifNoneMatch === undefined) return outcome
  return andThen(outcome, (found) => unlessKnown(found, ifNoneMatch))
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
