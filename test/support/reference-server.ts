/** A server on the reference project for tests of the HTTP interface, and a short way to ask it. */
import type { InjectOptions } from 'fastify'
import type { Extension } from '../../src/http/extension/extension.ts'
import type { ConfigInput } from '../../src/project/config/config.ts'
import { serve, type TestServer } from './server.ts'

const PROJECT = new URL('../reference/project/', import.meta.url)
const FULL = 'full-access-token-0123456789abcdef0123456789abcdef'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** The parsed body; asking for it of an empty body fails. */
  json(): {
    readonly data: Content
    readonly error: Failure
    readonly meta: Readonly<Record<string, unknown>>
  }
}

/** A document as tests look at it. */
export interface Content {
  readonly documentId: string
  readonly [name: string]: unknown
}

interface Failure {
  readonly status: number
  readonly name: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface Guide extends TestServer {
  /** Sends a request as the full-access token, unless headers say otherwise. */
  ask(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
}

export async function openGuide(
  databaseUrl: string,
  config: ConfigInput = {},
  extend: Extension = {},
): Promise<Guide> {
  const served = await serve(PROJECT, databaseUrl, config, extend)
  return {
    ...served,
    async ask(method, url, body, headers = {}) {
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
