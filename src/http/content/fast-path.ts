/**
 * The short way of a request to a generated endpoint: it is answered without the router, the hooks and the request
 * objects of the framework, which would cost more than many a read. The short way does what the long way does and sends
 * the same headers; whatever is out of the ordinary goes the long way.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { Positions } from '../../store/store.ts'
import { tellRoute } from '../metrics/responses.ts'
import { parseContent } from '../request/body.ts'
import { REQUEST_ID } from '../request/request-id.ts'
import type { HeadersFor } from '../response/common-headers.ts'
import { answeredAs, errorBody } from '../response/error.ts'
import { JSON_TYPE, type Outcome, unlessKnown } from '../response/outcome.ts'
import { POSITION } from '../response/position.ts'
import type { Server } from '../server.ts'
import { createAgain } from './again.ts'
import { answerTo } from './routes.ts'

/** Answers a request, or has `longWay` do so. */
export type Way = (request: IncomingMessage, response: ServerResponse, longWay: () => void) => void

export interface ShortWayOptions {
  readonly server: Server
  readonly headersFor: HeadersFor
  readonly requestId: (request: IncomingMessage) => string
  readonly positions: Positions | null
  /** How many bytes a body may have. */
  readonly bodyLimit: number
  /** Whether a path with this name belongs to the generated endpoints alone. */
  readonly isOwn: (name: string) => boolean
}

/** A request that goes the short way, and where its answer goes. */
interface Exchange {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly response: ServerResponse
  readonly id: string
}

export function createShortWay(options: ShortWayOptions): Way {
  const { server, headersFor, requestId, positions, bodyLimit, isOwn } = options
  const again = createAgain(server)

  function send({ method, headers, response, id }: Exchange, outcome: Outcome): void {
    const list = [...headersFor(headers.origin), REQUEST_ID, id]
    const position = method === 'GET' ? null : positions?.latest()
    if (position) list.push(POSITION, position)
    sendOutcome(response, list, outcome)
  }

  function refuse(exchange: Exchange, error: unknown): void {
    const known = answeredAs(error, exchange.id, server.log)
    // Half an answer is worse than none.
    if (exchange.response.headersSent) return void exchange.response.destroy()
    send(exchange, { status: known.status, headers: known.headers, body: errorBody(known) })
  }

  /** Nobody catches what is thrown here: it would end the process. */
  function fail(exchange: Exchange, error: unknown): void {
    try {
      refuse(exchange, error)
    } catch (failure) {
      try {
        refuse(exchange, failure)
      } catch {
        exchange.response.destroy()
      }
    }
  }

  function outcomeOf(
    { method, url, headers }: Exchange,
    target: Target,
    body: unknown,
  ): MaybePromise<Outcome> {
    const { name, id, rawQuery } = target
    const path = id === undefined ? [name] : [name, id]
    if (!isAnyones(method, headers)) return answerTo(server, { method, path, rawQuery, body, headers })
    const moment = server.store.globalVersion()
    const outcome = answerTo(server, { method, path, rawQuery, body, headers })
    if (!(outcome instanceof Promise)) again.note(url, outcome, moment)
    return outcome
  }

  function answer(exchange: Exchange, outcome: () => MaybePromise<Outcome>): void {
    try {
      const soon = outcome()
      if (soon instanceof Promise)
        soon.then((found) => send(exchange, found)).catch((error) => fail(exchange, error))
      else send(exchange, soon)
    } catch (error) {
      fail(exchange, error)
    }
  }

  return (request, response, longWay) => {
    const { headers, method = '', url = '' } = request
    const target = targetOf(url)
    const isPlain = method === 'GET' ? hasNoBody(headers) : hasPlainBody(method, headers, bodyLimit)
    if (!target || !isPlain || !isOwn(target.name)) return longWay()
    if (positions && (headers[POSITION] !== undefined || positions.catchUp())) return longWay()
    const id = requestId(request)
    tellRoute(response, target.id === undefined ? '/api/:name' : '/api/:name/:id', target.name, id)
    const exchange = { method, url, headers, response, id }
    const known = isAnyones(method, headers) ? again.find(url) : null
    if (known) return answer(exchange, () => unlessKnown(known, headers['if-none-match']))
    if (method === 'GET') return answer(exchange, () => outcomeOf(exchange, target, undefined))
    readJson(
      request,
      (body) => answer(exchange, () => outcomeOf(exchange, target, body)),
      (error) => {
        // Who sends what is no JSON may mean other things than we do by what follows.
        response.shouldKeepAlive = false
        fail(exchange, error)
      },
    )
  }
}

/** Whether a request is a read by nobody in particular. */
const isAnyones = (method: string, headers: IncomingHttpHeaders) =>
  method === 'GET' && headers.authorization === undefined

const hasNoBody = (headers: IncomingHttpHeaders) =>
  headers['content-length'] === undefined && headers['transfer-encoding'] === undefined

/** Whether a body is JSON of a length that is told before and is allowed. */
function hasPlainBody(method: string, headers: IncomingHttpHeaders, bodyLimit: number): boolean {
  const { 'content-length': length, 'content-type': type } = headers
  return (
    (method === 'POST' || method === 'PUT') &&
    (type === 'application/json' || type === JSON_TYPE) &&
    headers['content-encoding'] === undefined &&
    length !== undefined &&
    Number(length) <= bodyLimit
  )
}

/** Gives what a body holds when all of it has arrived; one that breaks off has nobody left to answer to. */
function readJson(
  request: IncomingMessage,
  given: (body: unknown) => void,
  refuse: (error: unknown) => void,
): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => void chunks.push(chunk))
  request.on('error', () => {})
  request.on('end', () => {
    let body: unknown
    try {
      body = parseContent(Buffer.concat(chunks))
    } catch (error) {
      return refuse(error)
    }
    given(body)
  })
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

function sendOutcome(response: ServerResponse, list: string[], outcome: Outcome): void {
  const { status, headers, body, kept } = outcome
  if (kept) {
    for (const each of kept.headers) list.push(each)
    response.writeHead(status, list)
    if (typeof kept.body === 'string') response.end(kept.body, 'latin1')
    else response.end(kept.body)
    return
  }
  for (const name in headers) list.push(name, headers[name] ?? '')
  if (body === null) {
    response.writeHead(status, list).end()
    return
  }
  const bytes = typeof body === 'string' ? bytesIn(body) : body.length
  list.push('content-type', JSON_TYPE, 'content-length', String(bytes))
  response.writeHead(status, list)
  // Text of nothing but ASCII is the same in both encodings, and one of them is copied as it is.
  if (typeof body === 'string') response.end(body, bytes === body.length ? 'latin1' : 'utf8')
  else response.end(body)
}

/** Texts are written in here to learn how many bytes they have, which takes a third of the time that asking takes. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024)
/** More than that a character does not take. */
const MOST_BYTES = 3

const bytesIn = (text: string): number =>
  text.length * MOST_BYTES <= scratch.length ? scratch.write(text) : Buffer.byteLength(text)
