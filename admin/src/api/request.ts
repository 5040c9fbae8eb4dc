/** Sends requests to the server, and turns its errors into `ApiError`s. */
import { texts } from '../texts.ts'
import type { ValueProblem } from './types.ts'

/** The address of the app. Read once: the page fixes it, wherever the router navigates later. */
export const appUrl = new URL('.', document.baseURI)

/** The address of the server, which `/api` and the stored files are below. */
export const rootUrl = new URL(
  document.querySelector<HTMLMetaElement>('meta[name="octavo-root"]')?.content ?? '/',
  window.location.href,
)

/** An error that the server responded with, or a connection that failed (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.details = details
  }

  get isOffline(): boolean {
    return this.status === 0
  }

  /** The values that the server refused, with their paths. */
  get problems(): readonly ValueProblem[] {
    const { errors } = this.details
    return Array.isArray(errors) ? errors.filter(isValueProblem) : []
  }
}

const isValueProblem = (value: unknown): value is ValueProblem =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  Array.isArray(value.path) &&
  'message' in value

export const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : texts.errors.unexpected

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Fails with the error instead of asking the person to sign in again. */
  readonly withoutSession?: boolean
}

export interface Response<Body> {
  readonly body: Body
  /** Identifies the version of the document in the body. */
  readonly etag: string | null
}

let signInAgain: (() => Promise<void>) | null = null

/** Registers what happens when a session has ended: the request is repeated when the promise resolves. */
export function onSessionEnded(listener: (() => Promise<void>) | null): void {
  signInAgain = listener
}

/** Sends a request to `/admin/api`. The caller states the type of the body. */
export async function send<Body>(path: string, options: RequestOptions = {}): Promise<Response<Body>> {
  try {
    return await sendOnce<Body>(path, options)
  } catch (error) {
    if (options.withoutSession || !signInAgain || !(await isSessionEnded(error))) throw error
    await signInAgain()
    return sendOnce<Body>(path, options)
  }
}

/** Where a permission is required, a caller without a session is refused like one without the permission. */
export async function isSessionEnded(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || error.status !== 403)
    return error instanceof ApiError && error.status === 401
  const session = await sendOnce<{ data: unknown }>('/session', {}).catch(() => null)
  return session !== null && session.body.data === null
}

/** The body of the response alone. */
export const request = async <Body>(path: string, options?: RequestOptions): Promise<Body> =>
  (await send<Body>(path, options)).body

async function sendOnce<Body>(path: string, options: RequestOptions): Promise<Response<Body>> {
  const { method = 'GET', query = '', body, headers = {}, signal } = options
  const isForm = body instanceof FormData
  const response = await fetch(new URL(`api${path}${query === '' ? '' : `?${query}`}`, appUrl), {
    method,
    headers: { ...(body !== undefined && !isForm && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
    credentials: 'same-origin',
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, texts.errors.offline)
  })
  const json: unknown = response.status === 204 ? null : await response.json().catch(() => null)
  if (!response.ok) throw errorOf(response, json)
  return { body: json as Body, etag: response.headers.get('etag') }
}

/** What an error response says. */
export function errorOf(
  { status, headers }: { readonly status: number; readonly headers: Pick<Headers, 'get'> },
  json: unknown,
): ApiError {
  const error = typeof json === 'object' && json !== null && 'error' in json ? json.error : null
  if (typeof error !== 'object' || error === null) return new ApiError(status, texts.errors.status(status))
  const message = 'message' in error && typeof error.message === 'string' ? error.message : ''
  const details =
    'details' in error && typeof error.details === 'object' && error.details !== null
      ? { ...error.details }
      : {}
  const wait = status === 429 ? Number(headers.get('retry-after')) : 0
  return new ApiError(
    status,
    wait > 0 ? texts.errors.tooMany(wait) : message || texts.errors.status(status),
    details,
  )
}
