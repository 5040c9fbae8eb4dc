/**
 * Requests that never reach a route: bytes that are no HTTP, headers that do not end, paths that mean nothing. Each is
 * answered with the error object like any other refusal, as far as its connection still listens.
 */
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ApiError, errors } from '../../errors.ts'
import type { CommonHeaders } from '../response/common-headers.ts'
import { JSON_TYPE } from '../response/content-response.ts'
import { errorBody, sendError } from '../response/error-response.ts'
import { REQUEST_ID } from './request-id.ts'

/** Options of the app for what its router and the HTTP parser refuse. */
export const malformedOptions = ({ startReply: begin, forUnrouted: unrouted }: CommonHeaders) => ({
  frameworkErrors({ code }: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    if (begin(request, reply)) return
    sendError(reply, code === 'FST_ERR_BAD_URL' ? errors.invalid(BAD_PATH) : errors.notFound())
  },
  clientErrorHandler(error: ParserError, socket: Duplex): void {
    const head = headOf(error)
    hangUp(socket, refusalOf(error), unrouted(headersIn(head)), head.startsWith('HEAD '))
  },
})

const BAD_PATH = 'The path is not well percent-encoded'

interface ParserError extends Error {
  readonly code?: string
  /** The bytes that could not be understood, mostly with the beginning of the request. */
  readonly rawPacket?: unknown
}

/** What came before the body, as far as it is there. */
function headOf({ rawPacket }: ParserError): string {
  if (!(rawPacket instanceof Uint8Array)) return ''
  const [head = ''] = Buffer.from(rawPacket).toString('latin1').split('\r\n\r\n', 1)
  return head
}

/** The headers that an answer depends on. They are believed no more than in any request: neither is secret. */
const headersIn = (head: string): IncomingHttpHeaders =>
  Object.fromEntries(
    ['origin', REQUEST_ID].flatMap((name) => {
      const value = new RegExp(`\\r\\n${name}:[ \\t]*([^\\r\\n]*)`, 'i').exec(head)?.[1]
      return value === undefined ? [] : [[name, value.trimEnd()]]
    }),
  )

/** Decides what becomes of requests that Node would answer by itself or not at all. */
export function handleMalformed(server: Server, unrouted: CommonHeaders['forUnrouted']): void {
  // What somebody expects beyond 100-continue may be ignored, and then the request is one like any other.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
  server.on('connect', ({ headers }: IncomingMessage, socket: Duplex) =>
    hangUp(socket, errors.methodNotAllowed('CONNECT', ['GET', 'POST']), unrouted(headers)),
  )
}

function refusalOf({ code }: ParserError): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return errors.headersTooLarge()
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return errors.tooSlow()
    case 'HPE_INVALID_URL':
      return errors.invalid(
        'The address holds characters that must be percent-encoded, as Ö is in S%C3%96REN',
      )
    default:
      return errors.invalid('The request is not well-formed HTTP')
  }
}

/** Answers on the bare connection and closes it: where the next request would begin is not known. */
function hangUp(socket: Duplex, error: ApiError, common: readonly string[], headOnly = false): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = errorBody(error)
  const headers = {
    ...error.headers,
    'content-type': JSON_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const list = [...common, ...Object.entries(headers).flat()]
  const head = list.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${list[index + 1]}`] : []))
  const first = `HTTP/1.1 ${error.status} ${REASONS[error.status] ?? 'Error'}`
  socket.end([first, ...head, '', headOnly ? '' : body].join('\r\n'))
  // Whoever does not hang up in turn is not waited for.
  setTimeout(() => socket.destroy(), 1000).unref()
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}
