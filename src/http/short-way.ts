/**
 * The short way of a request to a generated endpoint: it is answered without the router, the hooks and the request
 * objects of the framework, which would cost more than many a read. The short way does what the long way does and sends
 * the same headers; whatever is out of the ordinary goes the long way.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Positions } from '../store/store.ts'
import { parseContent } from './body.ts'
import { answerTo } from './content.ts'
import { answeredAs, errorBody } from './failure.ts'
import type { HeadersFor } from './headers.ts'
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
  /** How many bytes a body may have. */
  readonly bodyLimit: number
  /** Whether a path with this name belongs to the generated endpoints alone. */
  readonly isOwn: (name: string) => boolean
}

export function createShortWay(options: ShortWayOptions): Way {
  const { server, headersFor, requestId, positions, bodyLimit, isOwn } = options
  return (request, response, longWay) => {
    const { headers, method = '' } = request
    const target = targetOf(request.url ?? '')
    const isPlain = method === 'GET' ? hasNoBody(headers) : hasPlainBody(method, headers, bodyLimit)
    if (!target || !isPlain || !isOwn(target.name)) return longWay()
    if (positions && (headers[POSITION] !== undefined || positions.keepUp())) return longWay()
    const id = requestId(request)
    tellRoute(response, target.id === undefined ? '/api/:name' : '/api/:name/:id', target.name, id)
    const send = (outcome: Outcome) => {
      const list = [...headersFor(headers.origin), REQUEST_ID, id]
      const position = method === 'GET' ? null : positions?.latest()
      if (position) list.push(POSITION, position)
      sendOutcome(response, list, outcome)
    }
    const refuse = (error: unknown) => {
      const known = answeredAs(error, id, server.log)
      // Half an answer is worse than none.
      if (response.headersSent) return void response.destroy()
      send({ status: known.status, headers: known.headers, body: errorBody(known) })
    }
    // Nobody catches what is thrown here: it would end the process.
    const fail = (error: unknown) => {
      try {
        refuse(error)
      } catch (failure) {
        try {
          refuse(failure)
        } catch {
          response.destroy()
        }
      }
    }
    const answer = (body: unknown) => {
      try {
        const outcome = answerTo(server, {
          method,
          path: target.id === undefined ? [target.name] : [target.name, target.id],
          rawQuery: target.rawQuery,
          body,
          headers,
        })
        if (outcome instanceof Promise) outcome.then(send).catch(fail)
        else send(outcome)
      } catch (error) {
        fail(error)
      }
    }
    if (method === 'GET') return answer(undefined)
    readJson(request, answer, (error) => {
      // Who sends what is no JSON may mean other things than we do by what follows.
      response.shouldKeepAlive = false
      fail(error)
    })
  }
}

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
  const { status, headers, body } = outcome
  if (body !== null && typeof body !== 'string') {
    const { own, sent } = keptForm(outcome, body)
    for (const each of own) list.push(each)
    response.writeHead(status, list)
    if (typeof sent === 'string') response.end(sent, 'latin1')
    else response.end(sent)
    return
  }
  for (const name in headers) list.push(name, headers[name] ?? '')
  if (body === null) {
    response.writeHead(status, list).end()
    return
  }
  const bytes = bytesIn(body)
  list.push('content-type', JSON_TYPE, 'content-length', String(bytes))
  // Text of nothing but ASCII is the same in both encodings, and one of them is copied as it is.
  response.writeHead(status, list).end(body, bytes === body.length ? 'latin1' : 'utf8')
}

/** Texts are written in here to learn how many bytes they have, which takes a third of the time that asking takes. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024)
/** More than that a character does not take. */
const MOST_BYTES = 3

const bytesIn = (text: string): number =>
  text.length * MOST_BYTES <= scratch.length ? scratch.write(text) : Buffer.byteLength(text)

interface KeptForm {
  /** Headers of its own: names and values in turn. */
  readonly own: readonly string[]
  readonly sent: string | Buffer
}

const keptForms = new WeakMap<Outcome['headers'], KeptForm>()
/** Up to so many bytes a body is cheaper to send as text, in one piece with the headers. */
const SHORT_BODY = 8_192

/** What is kept is sent many times in the same form. */
function keptForm({ headers }: Outcome, body: Buffer): KeptForm {
  let form = keptForms.get(headers)
  if (!form) {
    const all = { ...headers, 'content-type': JSON_TYPE, 'content-length': String(body.length) }
    // A character for each byte, whatever the bytes mean: written as Latin-1 they are the same bytes again.
    form = {
      own: Object.entries(all).flat(),
      sent: body.length > SHORT_BODY ? body : body.toString('latin1'),
    }
    keptForms.set(headers, form)
  }
  return form
}
