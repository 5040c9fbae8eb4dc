/**
 * The HTTP server under the app: how much it takes on at a time, how slow its clients may be, and how it comes to its
 * end without losing a request.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from '../errors.ts'
import type { Config } from '../project/config/config.ts'
import type { FastPath } from './content/fast-path.ts'
import { createServer } from './node-http.ts'
import { createOpenRequests } from './open-requests.ts'
import { handleMalformed } from './request/malformed.ts'
import type { CommonHeaders } from './response/common-headers.ts'
import { JSON_TYPE } from './response/content-response.ts'
import { errorBody } from './response/error-response.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface Listener {
  /** Makes the server that calls the app; also more than one, when the app listens on several addresses. */
  readonly serverFactory: (handler: Handler) => Server
  /** Offers requests to the fast path before they reach the app; null to stop. */
  useFastPath(path: FastPath | null): void
  /** Whether it has begun to come to its end. */
  readonly ending: boolean
  /** Requests that are not answered yet. */
  readonly open: number
  /**
   * Takes no more connections, answers what has been asked, and resolves when the last connection is closed; with how
   * many requests were cut off because they took longer than `seconds`.
   */
  drain(seconds: number): Promise<number>
}

/** A client keeps a connection that it has not used for this long at its own risk. */
const KEEP_ALIVE_MS = 72_000
/** How often connections are looked at for having taken too long with a request. */
const LOOK_EVERY_MS = 1_000
/** For how long connections without a request stay open while the server ends: a request may be on its way. */
const QUIET_MS = 500
const PAUSE_MS = 20

/** What must be answered however much there is to do, since others decide by it what becomes of this process. */
const ALWAYS = /^\/(healthz|metrics)\b/

export function createListener(
  config: Config['server'],
  unrouted: CommonHeaders['forUnrouted'],
  /** The class of responses; null for that of Node. */
  responses: typeof ServerResponse | null = null,
  /** Called with each request, while it is read from the network. */
  arrived: () => void = () => {},
): Listener {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  const open = createOpenRequests<ServerResponse>()
  let ending = false
  let fastPath: FastPath | null = null

  const counting =
    (handler: Handler): Handler =>
    (request, response) => {
      arrived()
      if (open.size >= config.maxOpenRequests && !ALWAYS.test(request.url ?? ''))
        return refuse(response, unrouted(request.headers))
      if (ending) response.shouldKeepAlive = false
      if (!fastPath?.(request, response)) handler(request, response)
      // What was answered at once is not worth a listener.
      if (response.writableEnded && request.socket.writableLength === 0) return
      response.on('close', open.add(response))
    }

  function serverFactory(handler: Handler): Server {
    const server = createServer(
      {
        keepAliveTimeout: KEEP_ALIVE_MS,
        headersTimeout: config.headersSeconds * 1000,
        requestTimeout: Math.max(config.requestSeconds, config.headersSeconds) * 1000,
        connectionsCheckingInterval: LOOK_EVERY_MS,
        ...(responses && { ServerResponse: responses }),
      },
      counting(handler),
    )
    server.maxConnections = config.maxConnections
    // Workers that are all full would hand the connection to each other without an end.
    Object.assign(server, { dropMaxConnection: true })
    handleMalformed(server, unrouted)
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    servers.push(server)
    return server
  }

  function closeUnused() {
    for (const server of servers) server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  async function drain(seconds: number): Promise<number> {
    const start = performance.now()
    const passed = () => performance.now() - start
    ending = true
    for (const response of open) if (!response.headersSent) response.shouldKeepAlive = false
    // Closing it as an HTTP server would cut connections on which a request is just arriving.
    for (const server of servers) NetServer.prototype.close.call(server)
    while (sockets.size > 0 && passed() < seconds * 1000) {
      if (passed() >= QUIET_MS) closeUnused()
      await sleep(PAUSE_MS)
    }
    const lost = open.size
    for (const socket of sockets) socket.destroy()
    return lost
  }

  return {
    serverFactory,
    useFastPath(path) {
      fastPath = path
    },
    get ending() {
      return ending
    },
    get open() {
      return open.size
    },
    drain,
  }
}

function refuse(response: ServerResponse, common: readonly string[]) {
  const error = errors.unavailable(1, 'Too many requests are open')
  const headers = [...common, ...Object.entries(error.headers).flat(), 'content-type', JSON_TYPE]
  response.writeHead(error.status, headers).end(errorBody(error))
}
