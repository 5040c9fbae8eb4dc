/** The errors that the document promises, by status. */
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

/** The status of each error of the catalogue; one that is missing here does not compile. */
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

/** Those that a route answers with: what is refused before there is a route belongs to no operation. */
type ErrorStatus = Exclude<(typeof STATUS)[ErrorName], 408 | 431>

const namesOf = (status: string): string[] =>
  Object.entries(STATUS).flatMap(([name, one]) => (String(one) === status ? [name] : []))

const RESPONSES: Readonly<Record<ErrorStatus, ErrorResponse>> = {
  400: {
    key: 'BadRequest',
    description:
      'A parameter or the body is wrong, or the state forbids it; the message and the details say what.',
  },
  401: {
    key: 'Unauthorized',
    description: 'The credential is unknown, expired, revoked or malformed.',
  },
  403: {
    key: 'Forbidden',
    description: 'Not allowed, with or without a credential.',
  },
  404: {
    key: 'NotFound',
    description: 'There is no such document or version.',
  },
  405: {
    key: 'MethodNotAllowed',
    description: 'The path has other methods.',
    headers: { Allow: { description: 'The methods that the path has.', schema: string } },
  },
  412: {
    key: 'PreconditionFailed',
    description: 'The document has changed since the version named by If-Match.',
  },
  413: {
    key: 'PayloadTooLarge',
    description: 'The body or a file is larger than the limit.',
  },
  415: {
    key: 'UnsupportedMediaType',
    description: 'The body is compressed, or its text is in another charset than UTF-8.',
  },
  429: {
    key: 'TooManyRequests',
    description: 'Too many requests in a short time.',
    headers: RETRY_AFTER,
  },
  500: {
    key: 'InternalServerError',
    description: 'A defect of the server; the details carry the id of the request for its log.',
  },
  503: {
    key: 'ServiceUnavailable',
    description: 'The server is overloaded or cannot reach its database.',
    headers: RETRY_AFTER,
  },
}

const failures: readonly (readonly [string, ErrorResponse])[] = Object.entries(RESPONSES)

/** References to the answers with these statuses, and those that any operation can have. */
export function errorResponses(...statuses: readonly ErrorStatus[]): Record<string, Reference> {
  const all: readonly ErrorStatus[] = [...statuses, 401, 403, 429, 500, 503]
  return Object.fromEntries(
    failures
      .filter(([status]) => all.some((one) => String(one) === status))
      .map(([status, { key }]) => [status, { $ref: `#/components/responses/${key}` }]),
  )
}

/** Every error answer by its name, for the shared part of the document. */
export const sharedErrorResponses = (builder: DocumentBuilder): Record<string, Response> =>
  Object.fromEntries(
    failures.map(([status, { key, description, headers }]) => {
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
  path: arrayOf(string, 'Where the value is in the data of the body.'),
  message: string,
  name: { const: 'ValidationError' },
  value: { description: 'The value as it was sent.' },
})

const DETAILS: Schema = {
  ...openObject({
    errors: arrayOf(PROBLEM, 'Every wrong value of a body.'),
    key: { ...string, description: 'An unknown or forbidden key.' },
    path: { ...nullable(string), description: 'Where the key is.' },
    source: { type: 'string', enum: ['query', 'body'] },
    param: string,
    requestId: string,
    operation: { ...integer, description: 'Which operation of a batch failed, from 0.' },
  }),
  description: 'Depends on the error; empty when there is nothing more to say.',
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
            message: { ...string, description: 'In words for the person who wrote the request.' },
            details: DETAILS,
          },
          ['status', 'name', 'message', 'details'],
        ),
      },
      ['data', 'error'],
    ),
  )
