/** A server on the reference project, and a function that sends requests to it. */
import type { Extension } from '../../src/http/extension/extension.ts'
import type { ConfigInput } from '../../src/project/config/config.ts'
import { encodedPath, type HttpResponse, sendRequest } from './http-request.ts'
import { serve, type TestServer } from './server.ts'

const PROJECT = new URL('../reference/project/', import.meta.url)
const FULL = 'full-access-token-0123456789abcdef0123456789abcdef'

export interface TestResponse extends HttpResponse {
  /** Parses the body; throws when it is empty. */
  json(): {
    readonly data: Content
    readonly error: ErrorBody
    readonly meta: Readonly<Record<string, unknown>>
  }
}

export interface Content {
  readonly documentId: string
  readonly [name: string]: unknown
}

interface ErrorBody {
  readonly status: number
  readonly name: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface ReferenceServer extends TestServer {
  /** Sends a request with the full-access token, unless `headers` has another `authorization`. */
  send(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestResponse>
  /** Sends a GET without the network, for URLs that are longer than HTTP servers accept. */
  getLongUrl(url: string): Promise<Pick<TestResponse, 'status' | 'text' | 'json'>>
}

export async function startReferenceServer(
  databaseUrl: string,
  config: ConfigInput = {},
  extend: Extension = {},
): Promise<ReferenceServer> {
  const served = await serve(PROJECT, databaseUrl, config, extend)
  return {
    ...served,
    async send(method, url, body, headers = {}) {
      const response = await sendRequest(
        served.server,
        method,
        encodedPath(url),
        { authorization: `Bearer ${FULL}`, ...headers },
        body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      )
      return { ...response, json: () => JSON.parse(response.text) }
    },
    async getLongUrl(url) {
      const { statusCode: status, payload: text } = await served.server.app.inject({
        url,
        headers: { authorization: `Bearer ${FULL}` },
      })
      return { status, text, json: () => JSON.parse(text) }
    },
  }
}
