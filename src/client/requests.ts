/** Requests to the server: addresses, credentials and errors, the same for every call. */
import { errorOf } from './error.ts'
import { queryString } from './query-string.ts'

export interface ClientOptions {
  /** The address of the server, such as `https://content.example.com`. */
  readonly url: string
  /**
   * An API token, or the jwt of a signed-in user; nothing for what the public may do. A function is asked before each
   * request, for a jwt that is renewed now and then.
   */
  readonly token?: string | (() => Soon<string | undefined>) | undefined
  /** Used instead of the global `fetch`: to add headers, to cache, to test. */
  readonly fetch?: typeof fetch | undefined
}

type Soon<Value> = Value | Promise<Value>

/** What any call takes beside what it asks for. */
export interface CallOptions {
  /** Gives the call up: it is rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** For calls that would do something twice when they are repeated. */
export interface CreateOptions extends CallOptions {
  /** Repeated with the same key, after a broken connection say, a call gets its first answer and does nothing more. */
  readonly idempotencyKey?: string | undefined
}

/** For calls that change what is there. */
export interface ChangeOptions extends CallOptions {
  /** The `etag` of what was read: the call is refused with a `PreconditionFailedError` if somebody was faster. */
  readonly ifMatch?: string | undefined
}

/** What the server says of an answer beside it. */
export interface About {
  /** Names this state of a document, for `ifMatch`. */
  readonly etag?: string
  /** What was asked for and left out, because the caller may not see it. */
  readonly omitted: readonly string[]
}

export interface Received<Body> {
  readonly body: Body
  readonly about: About
}

export interface Sent {
  readonly query?: object | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  readonly form?: FormData
  readonly options?: (CreateOptions & ChangeOptions) | undefined
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Sends a request and gives the parsed answer; an answer that is no success is thrown as an OctavoError. */
export type Request = <Body>(method: Method, path: readonly string[], sent?: Sent) => Promise<Received<Body>>

/** Makes the function that sends requests with these options. */
export function createRequest({ url, token, fetch: send = fetch }: ClientOptions): Request {
  const base = url.replace(/\/+$/, '')
  /** Where the last write lies: whichever process answers next shows it. */
  let position: string | null = null
  return async (method, path, { query = {}, body, form, options = {} } = {}) => {
    const address = `${base}/api/${path.map(encodeURIComponent).join('/')}${queryString(query)}`
    const content = form ?? (body === undefined ? null : JSON.stringify(body))
    const { signal, ifMatch, idempotencyKey } = options
    const credential = typeof token === 'function' ? await token() : token
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

/** The later of two positions, such as `0/16B3748`; answers may arrive in another order than writes were made. */
function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  const comparable = (position: string) =>
    position
      .split('/')
      .map((half) => half.padStart(8, '0'))
      .join()
  return comparable(other) > comparable(one) ? other : one
}

/** What stands between may answer with a page of its own. */
function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
