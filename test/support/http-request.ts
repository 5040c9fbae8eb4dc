/** Sends requests to a listening server over the network, as clients do. */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import type { OctavoServer } from '../../src/http/app.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const agent = new Agent({ keepAlive: true })

/** Sends one request. The path is sent as it is: `fetch` would normalise it. */
export function sendRequest(
  { app }: Pick<OctavoServer, 'app'>,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<HttpResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
  const bodyHeaders =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  httpRequest({
    agent,
    host: '127.0.0.1',
    port: portOf(app),
    method,
    path,
    headers: { ...bodyHeaders, ...headers },
  })
    .on('error', reject)
    .on('response', (response) => {
      textOf(response).then((text) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      }, reject)
    })
    .end(body)
  return promise
}

/** A path with its characters outside ASCII and its spaces percent-encoded, as browsers send them. */
export function encodedPath(path: string): string {
  const { pathname, search } = new URL(path, 'http://localhost')
  return pathname + search
}

function portOf(app: OctavoServer['app']): number {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server is not listening')
  return address.port
}
