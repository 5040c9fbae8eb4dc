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
  return async (method, path, { query = {}, body, form } = {}) => {
    const address = `${base}/api/${path.map(encodeURIComponent).join('/')}${queryString(query)}`
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const content = form ?? (body === undefined ? null : JSON.stringify(body))
    const response = await send(address, {
      method,
      headers: { accept: 'application/json', ...type, ...credential },
      ...(content === null ? {} : { body: content }),
    })
    const text = await response.text()
    if (!response.ok) throw errorOf(response.status, parsedOrNull(text))
    return text === '' ? undefined : JSON.parse(text)
  }
}

/** What stands between may answer with a page of its own. */
function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
