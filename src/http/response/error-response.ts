/** Turns errors into responses. No other file knows the JSON format of an error. */
import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify'
import { ApiError, errors } from '../../errors.ts'
import { STATUS_CODES } from '../node-http.ts'
import { drainTooLarge } from '../request/unread-body.ts'
import type { ContentResponse } from './content-response.ts'
import { sendReply } from './send.ts'

/** The JSON of an error. Never throws, whatever the details hold. */
export function errorBody({ status, name, message, details }: ApiError): string {
  const body = (shown: unknown, replacer?: typeof withoutValue) =>
    JSON.stringify({ data: null, error: { status, name, message, details: shown } }, replacer)
  try {
    return body(details)
  } catch {
    // A rejected value may be a BigInt or refer to itself; JSON has neither.
  }
  try {
    return body(details, withoutValue)
  } catch {
    return body({})
  }
}

const withoutValue = (key: string, value: unknown) => (key === 'value' ? undefined : value)

/** The response for anything that was thrown. Failures of the server are logged with the request id. */
export function errorResponse(thrown: unknown, requestId: string, log: FastifyBaseLogger): ContentResponse {
  const error = toApiError(thrown) ?? errors.internal(requestId)
  if (error.status >= 500) log.error({ err: thrown, request: requestId }, 'Request failed')
  return { status: error.status, headers: error.headers, body: errorBody(error) }
}

/** Handles errors of all Fastify routes. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(async (thrown: unknown, { routeOptions, id, log, raw }, reply) => {
    const isTooLarge =
      thrown instanceof Error && 'code' in thrown && thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    if (!isTooLarge) return sendReply(reply, errorResponse(thrown, id, log))
    await drainTooLarge(raw)
    // Fastify would close the connection while the client is still sending, which then never sees the response.
    reply.removeHeader('connection')
    return sendReply(reply, errorResponse(errors.tooLarge(`${routeOptions.bodyLimit} bytes`), id, log))
  })
}

export const sendError = (reply: FastifyReply, error: ApiError): FastifyReply =>
  sendReply(reply, { status: error.status, headers: error.headers, body: errorBody(error) })

/** An ApiError as it is; anything else with a `statusCode` from 400 to 499, as Fastify and a project's code throw it. */
export function toApiError(thrown: unknown): ApiError | null {
  if (thrown instanceof ApiError) return thrown
  if (typeof thrown !== 'object' || thrown === null || !('statusCode' in thrown)) return null
  const { statusCode } = thrown
  if (typeof statusCode !== 'number' || !Number.isInteger(statusCode)) return null
  if (statusCode < 400 || statusCode > 499) return null
  const message = 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : ''
  return errors.withStatus(statusCode, message || (STATUS_CODES[statusCode] ?? 'Bad Request'))
}
