/** Sends requests from one of the addresses of this machine. */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  readonly body?: string | Buffer
  /** A bearer token. */
  readonly token?: string | undefined
}

/** The address of the ordinary clients. */
export const CLIENT_ADDRESS = '127.0.0.1'

/** One of the addresses of the attackers. Linux serves the whole network 127.0.0.0/8; elsewhere all share one address. */
export const attackerAddress = (number: number): string =>
  process.platform === 'linux'
    ? `127.0.${1 + (Math.floor(number / 250) % 250)}.${1 + (number % 250)}`
    : CLIENT_ADDRESS

/** No request may take longer than that. */
const DEADLINE_MS = 30_000

export type Send = (path: string, options?: RequestOptions) => Promise<Reply>

/** Sends requests to a server from an address, on connections of their own that are kept open. */
export function createSender(base: string, localAddress: string): { send: Send; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const { hostname, port } = new URL(base)
  return {
    send(path, { method = 'GET', headers = {}, json, body, token } = {}) {
      const content = json === undefined ? body : JSON.stringify(json)
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      const request = httpRequest({
        agent,
        host: hostname,
        port,
        localAddress,
        method,
        path,
        signal: AbortSignal.timeout(DEADLINE_MS),
        headers: {
          ...(content !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(content),
          }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
      })
      request.on('error', reject).on('response', (response) => {
        buffer(response).then((bytes) => {
          const { statusCode: status = 0, headers } = response
          resolve({ status, headers, bytes, text: bytes.toString('utf8') })
        }, reject)
      })
      request.end(content)
      return promise
    },
    close: () => agent.destroy(),
  }
}

/** A form with one file, as bytes, and its headers. */
export function fileForm(
  name: string,
  content: string | Buffer,
  fields: Readonly<Record<string, string>> = {},
): Required<Pick<RequestOptions, 'body' | 'headers'>> {
  const boundary = 'boundary-of-the-siege'
  const parts = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`
  return {
    body: Buffer.concat([
      Buffer.from(parts.join('') + head),
      Buffer.from(content),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
