/** Sends requests to the server, with credentials, and turns error responses into errors. */
import { errorOf } from './error.ts'
import { queryString } from './query-string.ts'

export interface ClientOptions {
  /** The address of the server, such as `https://content.example.com`. */
  readonly url: string
  /**
   * An API token, or the JWT of a signed-in user; none for the public role. A function is called before each request, so
   * that it can renew a JWT.
   */
  readonly token?: string | (() => MaybePromise<string | undefined>) | undefined
  /** Replaces the global `fetch`, for example to add headers, to cache or to test. */
  readonly fetch?: typeof fetch | undefined
}

type MaybePromise<Value> = Value | Promise<Value>

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** Options of calls that are not safe to repeat. */
export interface CreateOptions extends CallOptions {
  /** A call that is repeated with the same key, for example after a broken connection, only returns the first response. */
  readonly idempotencyKey?: string | undefined
}

/** Options of calls that change existing documents. */
export interface ChangeOptions extends CallOptions {
  /** The `etag` of the version that was read: if it has changed since, the call fails with a `PreconditionFailedError`. */
  readonly ifMatch?: string | undefined
}

/** Response headers of a result. */
export interface About {
  /** Identifies this version of a document, for `ifMatch`. */
  readonly etag?: string
  /** Requested parts that were omitted because the caller may not read them. */
  readonly omitted: readonly string[]
}

export interface Received<Body> {
  readonly body: Body
  readonly about: About
}

export interface RequestContent {
  readonly query?: object | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  readonly form?: FormData
  readonly options?: (CreateOptions & ChangeOptions) | undefined
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Sends a request and returns the parsed response; throws an OctavoError unless it succeeded. */
export type Request = <Body>(
  method: Method,
  path: readonly string[],
  sent?: RequestContent,
) => Promise<Received<Body>>

export const credentialOf = async (token: ClientOptions['token']): Promise<string | undefined> =>
  typeof token === 'function' ? token() : token

export function createRequest({ url, token, fetch: send = fetch }: ClientOptions): Request {
  const base = url.replace(/\/+$/, '')
  /** The position of the last write; sent along so that every server process shows that write. */
  let position: string | null = null
  return async (method, path, { query = {}, body, form, options = {} } = {}) => {
    const address = `${base}/api/${path.map(encodeURIComponent).join('/')}${queryString(query)}`
    const content = form ?? (body === undefined ? null : JSON.stringify(body))
    const { signal, ifMatch, idempotencyKey } = options
    const credential = await credentialOf(token)
    const response = await send(address, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
        ...(position !== null && { 'octavo-position': position }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(content !== null && { body: content }),
      ...(signal && { signal }),
    })
    position = later(position, response.headers.get('octavo-position'))
    const text = await response.text()
    if (!response.ok) throw errorOf(response.status, parsedOrNull(text))
    return { body: text === '' ? undefined : JSON.parse(text), about: aboutOf(response.headers) }
  }
}

function aboutOf(headers: Headers): About {
  const etag = headers.get('etag')
  const omitted = headers.get('octavo-omitted')
  return { ...(etag !== null && { etag }), omitted: omitted === null ? [] : omitted.split(', ') }
}

/** The later of two positions, such as `0/16B3748`; responses may arrive out of order. */
function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  const comparable = (position: string) =>
    position
      .split('/')
      .map((half) => half.padStart(8, '0'))
      .join()
  return comparable(other) > comparable(one) ? other : one
}

/** A proxy may respond with an HTML page. */
export function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
