/** Requests to the server: addresses, credentials and errors, the same for every call. */
import { errorOf } from './error.ts'
import { queryString } from './query-string.ts'

export interface ClientOptions {
  /** The address of the server, such as `https://content.example.com`. */
  readonly url: string
  /** An API token, or the jwt of a signed-in user; nothing for what the public may do. */
  readonly token?: string | undefined
  /** Used instead of the global `fetch`: to add headers, to cache, to test. */
  readonly fetch?: typeof fetch | undefined
}

export interface Sent {
  readonly query?: object | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  readonly form?: FormData
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Sends a request and gives the parsed answer; an answer that is no success is thrown as an OctavoError. */
export type Request = <Result>(method: Method, path: readonly string[], sent?: Sent) => Promise<Result>

/** Makes the function that sends requests with these options. */
export function createRequest({ url, token, fetch: send = fetch }: ClientOptions): Request {
  const base = url.replace(/\/+$/, '')
  const credential = token === undefined ? {} : { authorization: `Bearer ${token}` }
  /** Where the last write lies: whichever process answers next shows it. */
  let position: string | null = null
  return async (method, path, { query = {}, body, form } = {}) => {
    const address = `${base}/api/${path.map(encodeURIComponent).join('/')}${queryString(query)}`
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const content = form ?? (body === undefined ? null : JSON.stringify(body))
    const response = await send(address, {
      method,
      headers: {
        accept: 'application/json',
        ...type,
        ...credential,
        ...(position === null ? {} : { 'octavo-position': position }),
      },
      ...(content === null ? {} : { body: content }),
    })
    position = later(position, response.headers.get('octavo-position'))
    const text = await response.text()
    if (!response.ok) throw errorOf(response.status, parsedOrNull(text))
    return text === '' ? undefined : JSON.parse(text)
  }
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
