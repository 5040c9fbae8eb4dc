/** Sends requests to the server, with credentials, and turns error responses into errors. */
import { errorOf } from './error.ts'
import { queryString } from './query-string.ts'

/** The tokens of a signed-in user. */
export interface Session {
  readonly jwt: string
  /** With `auth.sessions: 'refresh'`: renews the JWT. */
  readonly refreshToken?: string
}

/** The credential of each request. */
export interface Credentials {
  /** The JWT of the session, or else the token of the options. */
  credential(): Promise<string | undefined>
  /** Renews the session. False if there is nothing to renew it with, or the server refuses. */
  refresh(): Promise<boolean>
}

export interface ClientOptions {
  /** The address of the server, such as `https://content.example.com`. */
  readonly url: string
  /**
   * An API token, or the JWT of a signed-in user; none for the public role. A function is called before each request, so
   * that it can renew a JWT.
   */
  readonly token?: string | (() => MaybePromise<string | undefined>) | undefined
  /** The session of a user who signed in before, as `onSession` received it. */
  readonly session?: Session | null | undefined
  /** Called when a user signs in or out and when the session is renewed, to store it; null means signed out. */
  readonly onSession?: ((session: Session | null) => void) | undefined
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
  /** Sends this request instead of the client's own `fetch`. */
  readonly fetch?: typeof fetch | undefined
  readonly options?: (CreateOptions & ChangeOptions) | undefined
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Sends a request and returns the parsed response; throws an OctavoError unless it succeeded. A session that has expired is
 * renewed, and the request repeated once.
 */
export type Request = <Body>(
  method: Method,
  path: readonly string[],
  sent?: RequestContent,
  isRepeated?: boolean,
) => Promise<Received<Body>>

export const credentialOf = async (token: ClientOptions['token']): Promise<string | undefined> =>
  typeof token === 'function' ? token() : token

export function createRequest(
  { url, fetch: usual = fetch }: ClientOptions,
  credentials: Credentials,
): Request {
  const base = url.replace(/\/+$/, '')
  /** The position of the last write; sent along so that every server process shows that write. */
  let position: string | null = null
  const request: Request = async (method, path, sent = {}, isRepeated = false) => {
    const { query = {}, body, form, options = {}, fetch: send = usual } = sent
    const address = `${base}/api/${path.map(encodeURIComponent).join('/')}${queryString(query)}`
    const content = form ?? (body === undefined ? null : JSON.stringify(body))
    const { signal, ifMatch, idempotencyKey } = options
    const credential = await credentials.credential()
    // Node's fetch fails a second time, unhandled, if it gets a form with a signal that is aborted already.
    signal?.throwIfAborted()
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
    if (response.status === 401 && !isRepeated && (await credentials.refresh()))
      return request(method, path, sent, true)
    if (!response.ok) throw errorOf(response.status, parsedOrNull(text))
    return { body: text === '' ? undefined : JSON.parse(text), about: aboutOf(response.headers) }
  }
  return request
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
