/**
 * Requests that never reach a route: malformed HTTP, headers that are too large or too slow, malformed paths. Each gets
 * the same JSON error as any other refused request, if its connection is still open.
 */
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ApiError, errors } from '../../errors.ts'
import type { CommonHeaders } from '../response/common-headers.ts'
import { JSON_TYPE } from '../response/content-response.ts'
import { errorBody, sendError } from '../response/error-response.ts'
import { REQUEST_ID } from './request-id.ts'

/** Options of the Fastify app for requests that its router or the HTTP parser refuses. */
export const malformedOptions = ({ startReply: begin, forUnrouted: unrouted }: CommonHeaders) => ({
  frameworkErrors({ code }: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    if (begin(request, reply)) return
    sendError(reply, code === 'FST_ERR_BAD_URL' ? errors.invalid(BAD_PATH) : errors.notFound())
  },
  clientErrorHandler(error: ParserError, socket: Duplex): void {
    const head = headOf(error)
    respondAndClose(socket, errorOf(error), unrouted(headersIn(head)), head.startsWith('HEAD '))
  },
})

const BAD_PATH = 'The percent-encoding of the path is malformed'

interface ParserError extends Error {
  readonly code?: string
  /** The bytes that could not be parsed, usually with the start of the request. */
  readonly rawPacket?: unknown
}

/** The request line and the headers, as far as they were received. */
function headOf({ rawPacket }: ParserError): string {
  if (!(rawPacket instanceof Uint8Array)) return ''
  const [head = ''] = Buffer.from(rawPacket).toString('latin1').split('\r\n\r\n', 1)
  return head
}

/** The request headers that decide about response headers. */
const headersIn = (head: string): IncomingHttpHeaders =>
  Object.fromEntries(
    ['origin', REQUEST_ID].flatMap((name) => {
      const value = new RegExp(`\\r\\n${name}:[ \\t]*([^\\r\\n]*)`, 'i').exec(head)?.[1]
      return value === undefined ? [] : [[name, value.trimEnd()]]
    }),
  )

/** Handles requests that Node would otherwise respond to itself, or drop. */
export function handleMalformed(server: Server, unrouted: CommonHeaders['forUnrouted']): void {
  // Expectations other than 100-continue may be ignored.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
  server.on('connect', ({ headers }: IncomingMessage, socket: Duplex) =>
    respondAndClose(socket, errors.methodNotAllowed('CONNECT', ['GET', 'POST']), unrouted(headers)),
  )
}

function errorOf({ code }: ParserError): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return errors.headersTooLarge()
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return errors.requestTimeout()
    case 'HPE_INVALID_URL':
      return errors.invalid('The URL has characters that must be percent-encoded, such as Ö as %C3%96')
    default:
      return errors.invalid('The request is not valid HTTP')
  }
}

/** Responds on the bare connection and closes it, because the start of the next request is unknown. */
function respondAndClose(socket: Duplex, error: ApiError, common: readonly string[], headOnly = false): void {
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
  // Do not wait long for the client to close its side.
  setTimeout(() => socket.destroy(), 1000).unref()
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}
