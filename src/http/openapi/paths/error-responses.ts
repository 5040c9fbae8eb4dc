/** The error responses of the document, by status. */
import type { ErrorName } from '../../../errors.ts'
import type { DocumentBuilder } from '../document-builder.ts'
import { jsonResponse, type Reference, type Response } from '../operation.ts'
import {
  arrayOf,
  closedObject,
  integer,
  nullable,
  nullSchema,
  openObject,
  type Schema,
  string,
} from '../schemas/schema.ts'

interface ErrorResponse {
  readonly key: string
  readonly description: string
  readonly headers?: Response['headers']
}

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait.', schema: integer } }

/** The status of each error of `errors.ts`; the compiler reports a missing one. */
const STATUS = {
  ValidationError: 400,
  SyntaxError: 400,
  ApplicationError: 400,
  PaginationError: 400,
  UnauthorizedError: 401,
  ForbiddenError: 403,
  NotFoundError: 404,
  MethodNotAllowedError: 405,
  RequestTimeoutError: 408,
  PreconditionFailedError: 412,
  PayloadTooLargeError: 413,
  UnsupportedMediaTypeError: 415,
  RateLimitError: 429,
  HeadersTooLargeError: 431,
  InternalServerError: 500,
  ServiceUnavailableError: 503,
} as const satisfies Record<ErrorName, number>

/** Without the statuses that are sent before a route is known. */
type ErrorStatus = Exclude<(typeof STATUS)[ErrorName], 408 | 431>

const namesOf = (status: string): string[] =>
  Object.entries(STATUS).flatMap(([name, one]) => (String(one) === status ? [name] : []))

const RESPONSES: Readonly<Record<ErrorStatus, ErrorResponse>> = {
  400: {
    key: 'BadRequest',
    description:
      'A parameter or the body is invalid, or the request conflicts with existing content. See the message and the details.',
  },
  401: {
    key: 'Unauthorized',
    description: 'The credential is unknown, expired, revoked or malformed.',
  },
  403: {
    key: 'Forbidden',
    description: 'The caller may not do this.',
  },
  404: {
    key: 'NotFound',
    description: 'The document or version does not exist.',
  },
  405: {
    key: 'MethodNotAllowed',
    description: 'The path does not support this method.',
    headers: { Allow: { description: 'The methods that the path supports.', schema: string } },
  },
  412: {
    key: 'PreconditionFailed',
    description: 'The document has changed since the version that If-Match identifies.',
  },
  413: {
    key: 'PayloadTooLarge',
    description: 'The body or a file is larger than the limit.',
  },
  415: {
    key: 'UnsupportedMediaType',
    description: 'The body is compressed, or its charset is not UTF-8.',
  },
  429: {
    key: 'TooManyRequests',
    description: 'Too many requests in a short time.',
    headers: RETRY_AFTER,
  },
  500: {
    key: 'InternalServerError',
    description: 'An error of the server. The details contain the request id, which is also in the log.',
  },
  503: {
    key: 'ServiceUnavailable',
    description:
      'The server is overloaded, cannot reach its database, or has stopped a read that took too long.',
    headers: RETRY_AFTER,
  },
}

const responses: readonly (readonly [string, ErrorResponse])[] = Object.entries(RESPONSES)

/** References to the responses with these statuses, and to those that every operation can have. */
export function errorResponses(...statuses: readonly ErrorStatus[]): Record<string, Reference> {
  const all: readonly ErrorStatus[] = [...statuses, 401, 403, 429, 500, 503]
  return Object.fromEntries(
    responses
      .filter(([status]) => all.some((one) => String(one) === status))
      .map(([status, { key }]) => [status, { $ref: `#/components/responses/${key}` }]),
  )
}

export const sharedErrorResponses = (builder: DocumentBuilder): Record<string, Response> =>
  Object.fromEntries(
    responses.map(([status, { key, description, headers }]) => {
      const error: Schema = {
        allOf: [
          errorSchema(builder),
          openObject({
            error: openObject({
              status: { const: Number(status) },
              name: { type: 'string', enum: namesOf(status) },
            }),
          }),
        ],
      }
      return [key, jsonResponse(description, error, headers)]
    }),
  )

const PROBLEM: Schema = openObject({
  path: arrayOf(string, 'The path of the value in the data of the body.'),
  message: string,
  name: { const: 'ValidationError' },
  value: { description: 'The value that was sent.' },
})

const DETAILS: Schema = {
  ...openObject({
    errors: arrayOf(PROBLEM, 'Every invalid value of the body.'),
    key: { ...string, description: 'The unknown or forbidden key.' },
    path: { ...nullable(string), description: 'The path of the key.' },
    source: { type: 'string', enum: ['query', 'body'] },
    param: string,
    requestId: string,
    operation: { ...integer, description: 'The index of the operation of a batch that failed, from 0.' },
  }),
  description: 'Depends on the error; may be empty.',
}

const errorSchema = (builder: DocumentBuilder): Schema =>
  builder.sharedSchema('Error', () =>
    closedObject(
      {
        data: nullSchema,
        error: closedObject(
          {
            status: integer,
            name: { type: 'string', enum: Object.keys(STATUS) },
            message: { ...string, description: 'An explanation for the developer.' },
            details: DETAILS,
          },
          ['status', 'name', 'message', 'details'],
        ),
      },
      ['data', 'error'],
    ),
  )
