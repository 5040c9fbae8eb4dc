/** Errors become responses: the one place that knows the error object of the API. */
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, errors } from '../../errors.ts'
import { JSON_TYPE } from './outcome.ts'

/** The JSON of an error answer. It can always be made: what was refused may be what JSON has no words for. */
export function errorBody({ status, name, message, details }: ApiError): string {
  const body = (shown: unknown, replacer?: typeof withoutValue) =>
    JSON.stringify({ data: null, error: { status, name, message, details: shown } }, replacer)
  try {
    return body(details)
  } catch {
    // A BigInt, or a value that holds itself.
  }
  try {
    return body(details, withoutValue)
  } catch {
    return body({})
  }
}

const withoutValue = (key: string, value: unknown) => (key === 'value' ? undefined : value)

/** Answers every error of the routes, and every path that has none. */
export function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) =>
    send(reply, answeredAs(refusalOf(error, request) ?? error, request.id, request.log)),
  )
  app.setNotFoundHandler((_request, reply) => send(reply, errors.notFound()))
}

/** Sends an error as the answer. */
export function send(reply: FastifyReply, error: ApiError): FastifyReply {
  return reply.code(error.status).headers(error.headers).type(JSON_TYPE).send(errorBody(error))
}

/** The error that is answered for a failure; what is our own fault is logged under the name of the request. */
export function answeredAs(error: unknown, requestId: string, log: FastifyBaseLogger): ApiError {
  const known = error instanceof ApiError ? error : errors.internal(requestId)
  if (known.status >= 500) log.error({ err: error, request: requestId }, 'The request failed')
  return known
}

/** What the framework or a project's own code refuses, in our words. */
function refusalOf(error: FastifyError | ApiError, request: FastifyRequest): ApiError | null {
  if (error instanceof ApiError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return errors.tooLarge(`${request.routeOptions.bodyLimit} bytes`)
  }
  const { statusCode = 500 } = error
  return statusCode >= 400 && statusCode < 500 ? errors.ofStatus(statusCode, error.message) : null
}
