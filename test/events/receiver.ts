/** A receiver of webhooks that collects what it receives, and responds as a test asks. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { waitUntil } from '../support/wait-until.ts'

export interface ReceivedDelivery {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: {
    readonly type?: string
    readonly timestamp?: string
    readonly data?: Readonly<Record<string, unknown>>
    readonly [key: string]: unknown
  }
}

/** Responds to a delivery; without any, with 204. */
export type Respond = (response: ServerResponse, delivery: ReceivedDelivery) => void

export interface Receiver {
  /** Without a path, such as `http://127.0.0.1:40123`. */
  readonly url: string
  /** How to respond, by path. */
  readonly responses: Map<string, Respond>
  /** What has arrived at a path. */
  at(path: string): readonly ReceivedDelivery[]
  /** Resolves when a number of deliveries have arrived at a path. */
  until(path: string, count: number): Promise<readonly ReceivedDelivery[]>
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedDelivery[] = []
  const responses = new Map<string, Respond>()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? ''
      const delivery = { path, headers: request.headers, text: body, body: JSON.parse(body) }
      received.push(delivery)
      const respond = responses.get(path)
      if (respond) respond(response, delivery)
      else response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const at = (path: string) => received.filter((one) => one.path === path)
  return {
    url: `http://127.0.0.1:${port}`,
    responses,
    at,
    async until(path, count) {
      await waitUntil(() => at(path).length >= count)
      return at(path)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
