/**
 * Requests that never reach a route: bytes that are no HTTP, headers that do not end, paths that mean nothing. Each is
 * answered with the error object like any other refusal, as far as its connection still listens.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ApiError, errors } from '../errors.ts'
import { errorBody, send } from './failure.ts'
import { JSON_TYPE } from './outcome.ts'

/** Options of the app for what its router and the HTTP parser refuse. */
export const malformedOptions = {
  frameworkErrors: ({ code }: FastifyError, _request: FastifyRequest, reply: FastifyReply) =>
    void send(reply, code === 'FST_ERR_BAD_URL' ? errors.invalid(BAD_PATH) : errors.notFound()),
  clientErrorHandler: (error: ParserError, socket: Duplex) =>
    hangUp(socket, refusalOf(error), asksForHead(error)),
}

const BAD_PATH = 'The path is not well percent-encoded'

interface ParserError extends Error {
  readonly code?: string
  /** The bytes that could not be understood, mostly with the beginning of the request. */
  readonly rawPacket?: unknown
}

const asksForHead = ({ rawPacket }: ParserError) =>
  rawPacket instanceof Uint8Array && Buffer.from(rawPacket.subarray(0, 5)).toString('latin1') === 'HEAD '

/** Decides what becomes of requests that Node would answer by itself or not at all. */
export function answerMalformed(server: Server): void {
  // What somebody expects beyond 100-continue may be ignored, and then the request is one like any other.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
  server.on('connect', (_request: IncomingMessage, socket: Duplex) =>
    hangUp(socket, errors.methodNotAllowed('CONNECT', ['GET', 'POST'])),
  )
}

function refusalOf({ code }: ParserError): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return errors.headersTooLarge()
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return errors.tooSlow()
    default:
      return errors.invalid('The request is not well-formed HTTP')
  }
}

/** Answers on the bare connection and closes it: where the next request would begin is not known. */
function hangUp(socket: Duplex, error: ApiError, headOnly = false): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = errorBody(error)
  const headers = {
    ...error.headers,
    'content-type': JSON_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    'x-content-type-options': 'nosniff',
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
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
