/** Every error that the API can respond with. All layers throw these; `http` turns them into responses. */

export type ErrorName =
  | 'ValidationError'
  | 'SyntaxError'
  | 'ApplicationError'
  | 'PaginationError'
  | 'UnauthorizedError'
  | 'ForbiddenError'
  | 'NotFoundError'
  | 'MethodNotAllowedError'
  | 'RequestTimeoutError'
  | 'PreconditionFailedError'
  | 'PayloadTooLargeError'
  | 'UnsupportedMediaTypeError'
  | 'RateLimitError'
  | 'HeadersTooLargeError'
  | 'InternalServerError'
  | 'ServiceUnavailableError'

/** One wrong value in a body: where it is and what is wrong with it. */
export interface FieldProblem {
  readonly path: readonly string[]
  readonly message: string
  readonly value?: unknown
  /** In schemas: the content-type or component, and the message without its file and path. */
  readonly uid?: string | null
  readonly problem?: string
}

/** An unknown or forbidden key, and where it was found. */
export interface KeyLocation {
  readonly key: string
  /** Dotted path of the object with the key, or null at the top level. */
  readonly path: string | null
  readonly source: 'query' | 'body'
  readonly param?: string
  /** A similar key that the caller may know of. */
  readonly meant?: string | null
}

/** A populated relation that multiplies the documents of a response. */
export interface Multiplier {
  /** Its path in the response, such as `tags.notes`. */
  readonly path: string
  /** The parameter that populates it, such as `populate[tags][populate][notes]`. */
  readonly parameter: string
  /** How many documents it leads to from each one. */
  readonly perDocument: number
}

/** The message of anything that was thrown. */
export const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure)

/** An error with an HTTP status, and a message that may be shown to the caller. */
export class ApiError extends Error {
  override readonly name: ErrorName
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    name: ErrorName,
    status: number,
    message: string,
    details: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.name = name
    this.status = status
    this.details = details
    this.headers = headers
  }
}

const define =
  <Arguments extends unknown[]>(
    name: ErrorName,
    status: number,
    message: (...args: Arguments) => string,
    details: (...args: Arguments) => Record<string, unknown> = () => ({}),
    headers: (...args: Arguments) => Record<string, string> = () => ({}),
  ) =>
  (...args: Arguments) =>
    new ApiError(name, status, message(...args), details(...args), headers(...args))

const problemList = (problems: readonly FieldProblem[]) => ({
  errors: problems.map((problem) => ({ ...problem, name: 'ValidationError' })),
})

/** The names of errors that are given by their status alone. */
const NAMES = new Map<number, ErrorName>([
  [400, 'ValidationError'],
  [401, 'UnauthorizedError'],
  [403, 'ForbiddenError'],
  [404, 'NotFoundError'],
  [405, 'MethodNotAllowedError'],
  [408, 'RequestTimeoutError'],
  [412, 'PreconditionFailedError'],
  [413, 'PayloadTooLargeError'],
  [429, 'RateLimitError'],
  [431, 'HeadersTooLargeError'],
])

export const errors = {
  invalid: define('ValidationError', 400, (message: string) => message),
  invalidKey: define(
    'ValidationError',
    400,
    ({ key, path, meant, param, source }: KeyLocation) => {
      const at = path && path !== key ? ` at ${path}` : ''
      if (key === '') return `Empty key in ${param ?? `the ${source}`}${at}`
      return `Invalid key ${key}${at}${meant ? `; did you mean "${meant}"?` : ''}`
    },
    ({ meant: _, ...place }: KeyLocation) => place,
  ),
  tooManyRows: define(
    'ValidationError',
    400,
    (rows: number, limit: number, multiplier: Multiplier | null) => {
      const size = `The response would have about ${rows} documents, and at most ${limit} are allowed (limits.readRows)`
      if (!multiplier) return `${size}; request a smaller page`
      const { path, parameter, perDocument } = multiplier
      return `${size}: ${path} leads to about ${Math.round(perDocument)} documents from each one. Limit it, such as with ${parameter}[limit]=5, populate fewer levels, or request a smaller page`
    },
    (rows: number, _limit: number, multiplier: Multiplier | null) => ({
      limit: 'readRows',
      rows,
      path: multiplier?.path ?? null,
    }),
  ),
  invalidParameter: define(
    'ValidationError',
    400,
    (param: string, path: string | null, message: string, _key?: string) =>
      `Invalid ${param}${path ? ` at ${path}` : ''}: ${message}`,
    (param: string, path: string | null, _message: string, key?: string) => ({
      key: key ?? path ?? param,
      path,
      source: 'query',
      param,
    }),
  ),
  /** An argument of a tool of the MCP server. */
  invalidArgument: define(
    'ValidationError',
    400,
    (argument: string, problem: string) => `${argument}: ${problem}`,
    (argument: string) => ({ argument }),
  ),
  invalidValues: define(
    'ValidationError',
    400,
    (problems: readonly FieldProblem[]) =>
      problems.length === 1 && problems[0] ? problems[0].message : `${problems.length} values are invalid`,
    problemList,
  ),
  pagination: define('PaginationError', 400, (message: string) => message),
  syntax: define('SyntaxError', 400, (message: string) => message),
  application: define('ApplicationError', 400, (message: string) => message),
  /** For errors of Fastify and of a project's code that have a status from 400 to 499. */
  withStatus: (status: number, message: string) =>
    new ApiError(NAMES.get(status) ?? 'ApplicationError', status, message),
  migrationRefused: define(
    'ApplicationError',
    400,
    (descriptions: readonly string[], confirmable: boolean, _changes: readonly object[]) =>
      `${confirmable ? 'This change deletes content; send it again with confirm=true' : 'Blocked by existing content'}: ${descriptions.join('; ')}`,
    (_descriptions, _confirmable, changes) => ({ changes }),
  ),
  schemaLocked: define(
    'ForbiddenError',
    403,
    () =>
      'Content-types cannot be changed over HTTP in production: use octavo migrate, or set schema.editable to true',
  ),
  localesLocked: define('ForbiddenError', 403, (reason: string) => reason),
  localeHasContent: define(
    'ApplicationError',
    400,
    (code: string, content: readonly { readonly uid: string; readonly documents: number }[]) =>
      `${code} has content, which could then no longer be changed (${content.map(({ uid, documents }) => `${uid}: ${documents}`).join(', ')}); send the request again with confirm=true to remove the locale`,
    (_code, content) => ({ content }),
  ),
  schemaChanged: define(
    'PreconditionFailedError',
    412,
    (expected: number, actual: number) =>
      `The content-types have changed since version ${expected}; the current version is ${actual}`,
  ),
  unauthorized: define('UnauthorizedError', 401, () => 'Missing or invalid credentials'),
  bearerRequired: define(
    'UnauthorizedError',
    401,
    () => 'Send an API token as Authorization: Bearer TOKEN',
    () => ({}),
    () => ({ 'www-authenticate': 'Bearer' }),
  ),
  secondFactor: define(
    'UnauthorizedError',
    401,
    (state: 'required' | 'invalid') =>
      state === 'required'
        ? 'A code from the authenticator app is required'
        : 'The code is wrong or already used',
    (state) => ({ secondFactor: state }),
  ),
  forbidden: define('ForbiddenError', 403, () => 'Forbidden'),
  readOnlyTools: define(
    'ForbiddenError',
    403,
    () => 'The MCP server is read-only (mcp.readOnly)',
    () => ({ hint: 'No tool can change content here, whatever the credential permits.' }),
  ),
  notInTeam: define('ForbiddenError', 403, () => 'This account may not use the admin app'),
  foreignOrigin: define(
    'ForbiddenError',
    403,
    (origin: string | undefined) =>
      `${origin === undefined ? 'The Origin header is missing' : `The origin ${origin} is not this server`}; behind a proxy, set server.url to the public address`,
  ),
  originNotAllowed: define(
    'ForbiddenError',
    403,
    (origin: string) => `Pages from the origin ${origin} may not use this endpoint; list it in cors.origins`,
  ),
  notFound: define('NotFoundError', 404, (message?: string) => message ?? 'Not Found'),
  methodNotAllowed: define(
    'MethodNotAllowedError',
    405,
    (method: string, allowed: readonly string[]) =>
      `Method ${method} is not allowed; use ${allowed.join(', ')}`,
    () => ({}),
    (_method, allowed) => ({ allow: allowed.join(', ') }),
  ),
  requestTimeout: define('RequestTimeoutError', 408, () => 'The request took too long to arrive'),
  preconditionFailed: define(
    'PreconditionFailedError',
    412,
    () => 'The document has changed since the version named by If-Match',
  ),
  tooLarge: define('PayloadTooLargeError', 413, (limit: string) => `The payload is larger than ${limit}`),
  unsupportedMediaType: define('UnsupportedMediaTypeError', 415, (message: string) => message),
  rateLimited: define(
    'RateLimitError',
    429,
    (_seconds: number) => 'Too many requests, please try again later',
    () => ({}),
    (seconds: number) => ({ 'retry-after': String(seconds) }),
  ),
  tooManyOpen: define(
    'RateLimitError',
    429,
    (_seconds: number) => 'Too many open requests from this address',
    () => ({}),
    (seconds: number) => ({ 'retry-after': String(seconds) }),
  ),
  headersTooLarge: define(
    'HeadersTooLargeError',
    431,
    () => 'The URL and the headers of the request are too large',
  ),
  internal: define(
    'InternalServerError',
    500,
    (_requestId: string) => 'Internal Server Error',
    (requestId: string) => ({ requestId }),
  ),
  readTooSlow: define(
    'ServiceUnavailableError',
    503,
    (milliseconds: number) =>
      `The read was stopped after ${milliseconds} ms (limits.readMs); a smaller page, fewer populated relations or fewer filters through relations take less time`,
    (milliseconds: number) => ({ limit: 'readMs', milliseconds }),
    () => ({ 'retry-after': '5' }),
  ),
  responseTooLarge: define(
    'ValidationError',
    400,
    (bytes: number) =>
      `The response would have more than ${bytes} bytes (limits.responseBytes); request a smaller page, fewer fields or fewer populated relations`,
    (bytes: number) => ({ limit: 'responseBytes', bytes }),
  ),
  unavailable: define(
    'ServiceUnavailableError',
    503,
    (_seconds: number, reason: string) => reason,
    () => ({}),
    (seconds: number) => ({ 'retry-after': String(seconds) }),
  ),
}
