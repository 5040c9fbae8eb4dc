/** A server on the reference project, and a function that sends requests to it. */
import type { InjectOptions } from 'fastify'
import type { Extension } from '../../src/http/extension/extension.ts'
import type { ConfigInput } from '../../src/project/config/config.ts'
import { serve, type TestServer } from './server.ts'

const PROJECT = new URL('../reference/project/', import.meta.url)
const FULL = 'full-access-token-0123456789abcdef0123456789abcdef'

export interface TestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
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
      const options: InjectOptions = {
        method,
        url,
        headers: {
          authorization: `Bearer ${FULL}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      }
      const response = await served.server.app.inject(options)
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        json: () => JSON.parse(response.body),
      }
    },
  }
}
