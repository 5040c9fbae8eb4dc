/**
 * The short way of a read: a GET of a generated endpoint is answered without the router, the hooks and the request
 * objects of the framework, which would cost more than many a read. It does what the long way does and sends the same
 * headers; whatever is out of the ordinary goes the long way.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Positions } from '../store/store.ts'
import { answerTo } from './content.ts'
import type { HeadersFor } from './edges.ts'
import { answeredAs, errorBody } from './failure.ts'
import { tellRoute } from './metrics/answered.ts'
import { JSON_TYPE, type Outcome } from './outcome.ts'
import { POSITION } from './position.ts'
import { REQUEST_ID } from './request-id.ts'
import type { Server } from './server.ts'

/** Answers a request, or has `longWay` do so. */
export type Way = (request: IncomingMessage, response: ServerResponse, longWay: () => void) => void

export interface ShortWayOptions {
  readonly server: Server
  readonly headersFor: HeadersFor
  readonly requestId: (request: IncomingMessage) => string
  readonly positions: Positions | null
  /** Whether a path with this name belongs to the generated endpoints alone. */
  readonly isOwn: (name: string) => boolean
}

export function createShortWay({ server, headersFor, requestId, positions, isOwn }: ShortWayOptions): Way {
  return (request, response, longWay) => {
    const { headers } = request
    const target = request.method === 'GET' ? targetOf(request.url ?? '') : null
    if (!target || !isOwn(target.name) || isUncommon(headers) || positions?.keepUp()) return longWay()
    const id = requestId(request)
    tellRoute(response, target.id === undefined ? '/api/:name' : '/api/:name/:id', target.name, id)
    const send = (outcome: Outcome) =>
      sendOutcome(response, [...headersFor(headers.origin), REQUEST_ID, id], outcome)
    const fail = (error: unknown) => {
      const known = answeredAs(error, id, server.log)
      send({ status: known.status, headers: known.headers, body: errorBody(known) })
    }
    try {
      const outcome = answerTo(server, {
        method: 'GET',
        path: target.id === undefined ? [target.name] : [target.name, target.id],
        rawQuery: target.rawQuery,
        body: undefined,
        headers,
      })
      if (outcome instanceof Promise) outcome.then(send).catch(fail)
      else send(outcome)
    } catch (error) {
      fail(error)
    }
  }
}

interface Target {
  readonly name: string
  readonly id: string | undefined
  readonly rawQuery: string
}

/** `/api/name` and `/api/name/id`, with nothing in it that needs decoding. */
const PLAIN = /^\/api\/([\w-]{1,100})(?:\/([\w-]{1,100}))?(?:\?|$)/

function targetOf(url: string): Target | null {
  const match = PLAIN.exec(url)
  const name = match?.[1]
  if (!match || name === undefined) return null
  return { name, id: match[2], rawQuery: url.slice(match[0].length) }
}

const isUncommon = (headers: IncomingHttpHeaders) =>
  headers['content-length'] !== undefined ||
  headers['transfer-encoding'] !== undefined ||
  headers[POSITION] !== undefined

function sendOutcome(response: ServerResponse, list: string[], { status, headers, body }: Outcome): void {
  for (const name in headers) list.push(name, headers[name] ?? '')
  if (body === null) {
    response.writeHead(status, list).end()
    return
  }
  const bytes = Buffer.byteLength(body)
  list.push('content-type', JSON_TYPE, 'content-length', String(bytes))
  // Text of nothing but ASCII is the same in both encodings, and one of them is copied as it is.
  response.writeHead(status, list).end(body, bytes === body.length ? 'latin1' : 'utf8')
}

/**
 * Watches the routes that are declared from now on; tells whether a name under `/api/` is in none of them but those of
 * generated endpoints.
 */
export function watchNames(app: FastifyInstance): (name: string) => boolean {
  const taken = new Set<string>()
  let isAnyTaken = false
  app.addHook('onRoute', ({ url }) => {
    const [, first = '', second = ''] = url.split('/')
    if (url.startsWith('/api/:name')) return
    if (/[:*]/.test(first) || (first === 'api' && /[:*]/.test(second))) isAnyTaken = true
    else if (first === 'api') taken.add(second)
  })
  return (name) => !isAnyTaken && !taken.has(name)
}

/** Calls back when a hook is added to an app: it is to see every request. */
export function whenHooked(app: FastifyInstance, hooked: () => void): void {
  app.addHook = new Proxy(app.addHook, {
    apply(target, self, given) {
      hooked()
      return Reflect.apply(target, self, given)
    },
  })
}
