/** The error that the client throws when the server responds with one. */

const NAMES = [
  'ValidationError',
  'SyntaxError',
  'ApplicationError',
  'PaginationError',
  'UnauthorizedError',
  'ForbiddenError',
  'NotFoundError',
  'MethodNotAllowedError',
  'RequestTimeoutError',
  'PreconditionFailedError',
  'PayloadTooLargeError',
  'UnsupportedMediaTypeError',
  'RateLimitError',
  'HeadersTooLargeError',
  'InternalServerError',
  'ServiceUnavailableError',
] as const

/** The names of the server's errors; `UnknownError` for a response that does not come from the server itself. */
export type ErrorName = (typeof NAMES)[number] | 'UnknownError'

/** One invalid value of a body. */
export interface Problem {
  /** Where it is, such as `['menu', '1', 'title']`. */
  readonly path: readonly string[]
  readonly message: string
  readonly value?: unknown
}

/** An error response of the server. */
export class OctavoError extends Error {
  override readonly name = 'OctavoError'
  readonly status: number
  /** The name of the error in the response. */
  readonly kind: ErrorName
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, kind: ErrorName, message: string, details: Readonly<Record<string, unknown>>) {
    super(message)
    this.status = status
    this.kind = kind
    this.details = details
  }

  /** Every invalid value of the body, so that a form can show each next to its field; empty for other errors. */
  get problems(): readonly Problem[] {
    const { errors } = this.details
    return Array.isArray(errors) ? errors.filter(isProblem) : []
  }
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'path' in value && 'message' in value

const isErrorName = (name: unknown): name is ErrorName => NAMES.some((known) => known === name)

/** The error for a response, whether it comes from the server or from a proxy. */
export function errorOf(status: number, body: unknown): OctavoError {
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  return new OctavoError(
    status,
    isErrorName(error.name) ? error.name : 'UnknownError',
    typeof error.message === 'string' ? error.message : `The server responded with status ${status}`,
    isObject(error.details) ? error.details : {},
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
