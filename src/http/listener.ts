/** The HTTP server below the app: limits on connections and requests, timeouts, and graceful shutdown. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiError, errors } from '../errors.ts'
import type { Config } from '../project/config/config.ts'
import type { FastPath } from './content/fast-path.ts'
import { createServer } from './node-http.ts'
import { createOpenRequests } from './open-requests.ts'
import { createAddressOf, proxyTest } from './request/client-address.ts'
import { handleMalformed } from './request/malformed.ts'
import { countPerAddress } from './request/per-address.ts'
import { BODY_CHECK_MS, createSlowBodies } from './request/slow-bodies.ts'
import { createUnreceivedResponses } from './request/unreceived-responses.ts'
import type { CommonHeaders } from './response/common-headers.ts'
import { JSON_TYPE } from './response/content-response.ts'
import { errorBody } from './response/error-response.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface Listener {
  /** Creates a server that calls the app, one for each address that the app listens on. */
  readonly serverFactory: (handler: Handler) => Server
  /** Offers requests to the fast path before they reach the app; null to stop. */
  useFastPath(path: FastPath | null): void
  /** Stops counting a request whose response never ends by itself, such as a stream of events. */
  excludeFromLimits(response: ServerResponse): void
  readonly isShuttingDown: boolean
  /** The number of requests without a response yet. */
  readonly open: number
  /**
   * Accepts no more connections, completes open requests, and resolves when the last connection is closed, with the
   * number of requests that took longer than `seconds` and were aborted.
   */
  drain(seconds: number): Promise<number>
}

const KEEP_ALIVE_MS = 72_000
/** How often connections are checked for requests that take too long to arrive. */
const TIMEOUT_CHECK_MS = 1_000
/** How long idle connections stay open during shutdown, because a request may be on its way. */
const IDLE_GRACE_MS = 500
const POLL_MS = 20
/** Emitted by a response that is no longer counted. */
const EXCLUDED = Symbol('excluded from limits')

/** Served even under overload, because a monitor may restart a process that does not respond. */
const ALWAYS_SERVED = /^\/(healthz|metrics)\b/

export function createListener(
  config: Config['server'],
  unrouted: CommonHeaders['forUnrouted'],
  /** Replaces Node's class of responses. */
  responseClass: typeof ServerResponse | null = null,
  /** Called for each request when it is read from the network. */
  onRequest: () => void = () => {},
): Listener {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  const open = createOpenRequests<ServerResponse>()
  const addressOf = createAddressOf(config.trustedProxies)
  const isProxy = proxyTest(config.trustedProxies)
  const openPerAddress = countPerAddress(config.maxOpenRequestsPerAddress)
  const connectionsPerAddress = countPerAddress(config.maxConnectionsPerAddress)
  /** With fewer open requests, neither limit can be reached. */
  const crowded = Math.min(config.maxOpenRequests, config.maxOpenRequestsPerAddress)
  const slowBodies = createSlowBodies(open, config.bodySeconds, (response, error) => {
    response.shouldKeepAlive = false
    refuse(response, unrouted(response.req.headers), error)
  })
  const limitUnreceived = createUnreceivedResponses(open, config.bodySeconds)
  let isShuttingDown = false
  let fastPath: FastPath | null = null

  const countRequests =
    (handler: Handler): Handler =>
    (request, response) => {
      onRequest()
      if (!hasOneHost(request)) {
        response.shouldKeepAlive = false
        return refuse(
          response,
          unrouted(request.headers),
          errors.invalid('Exactly one Host header is required'),
        )
      }
      const overload = open.size >= crowded ? overloadFor(request) : null
      if (overload) return refuse(response, unrouted(request.headers), overload)
      if (isShuttingDown) response.shouldKeepAlive = false
      if (!fastPath?.(request, response)) handler(request, response)
      // A response that was sent synchronously needs no listener.
      if (response.writableEnded && request.socket.writableLength === 0) return
      const remove = open.add(response)
      const removeFromAddress = openPerAddress.add(addressOf(request))
      const removeAll = () => {
        remove()
        removeFromAddress()
      }
      response.on('close', removeAll)
      response.on(EXCLUDED, removeAll)
    }

  /** The error when too many requests are open and none of them only waits for its body; null when there is room. */
  function overloadFor(request: IncomingMessage): ApiError | null {
    if (ALWAYS_SERVED.test(request.url ?? '')) return null
    const address = addressOf(request)
    const isOfAddress = (other: IncomingMessage) => addressOf(other) === address
    if (openPerAddress.isFull(address) && !slowBodies.endOldest(isOfAddress)) return errors.tooManyOpen(1)
    if (open.size >= config.maxOpenRequests && !slowBodies.endOldest())
      return errors.unavailable(1, 'Too many open requests')
    return null
  }

  function serverFactory(handler: Handler): Server {
    const server = createServer(
      {
        keepAliveTimeout: KEEP_ALIVE_MS,
        // Checked for each request instead, because Node's own response has no body.
        requireHostHeader: false,
        headersTimeout: config.headersSeconds * 1000,
        requestTimeout: Math.max(config.requestSeconds, config.headersSeconds) * 1000,
        connectionsCheckingInterval: TIMEOUT_CHECK_MS,
        ...(responseClass && { ServerResponse: responseClass }),
      },
      countRequests(handler),
    )
    server.maxConnections = config.maxConnections
    // Workers that are all full would pass the connection to each other endlessly.
    Object.assign(server, { dropMaxConnection: true })
    handleMalformed(server, unrouted)
    server.on('connection', (socket) => {
      const address = socket.remoteAddress ?? ''
      // The connections of a proxy belong to many clients.
      if (connectionsPerAddress.isFull(address) && !isProxy(address)) return void socket.destroy()
      sockets.add(socket)
      const remove = connectionsPerAddress.add(address)
      socket.once('close', () => {
        sockets.delete(socket)
        remove()
      })
    })
    server.once('listening', () => {
      const checking = setInterval(() => {
        slowBodies.endOverdue()
        limitUnreceived()
      }, BODY_CHECK_MS)
      checking.unref()
      server.once('close', () => clearInterval(checking))
    })
    servers.push(server)
    return server
  }

  function closeIdleConnections() {
    for (const server of servers) server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  async function drain(seconds: number): Promise<number> {
    const start = performance.now()
    const elapsed = () => performance.now() - start
    isShuttingDown = true
    for (const response of open) if (!response.headersSent) response.shouldKeepAlive = false
    // http.Server.close would also close connections on which a request is just arriving.
    for (const server of servers) NetServer.prototype.close.call(server)
    while (sockets.size > 0 && elapsed() < seconds * 1000) {
      if (elapsed() >= IDLE_GRACE_MS) closeIdleConnections()
      await sleep(POLL_MS)
    }
    const aborted = open.size
    for (const socket of sockets) socket.destroy()
    return aborted
  }

  return {
    serverFactory,
    useFastPath(path) {
      fastPath = path
    },
    excludeFromLimits(response) {
      response.emit(EXCLUDED)
    },
    get isShuttingDown() {
      return isShuttingDown
    },
    get open() {
      return open.size
    },
    drain,
  }
}

/** Node keeps the first of several Host headers; a proxy in front may have used another one. Versions before 1.1 need none. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1')
}

function refuse(response: ServerResponse, common: readonly string[], error: ApiError) {
  const body = errorBody(error)
  const own = {
    ...error.headers,
    'content-type': JSON_TYPE,
    'content-length': String(Buffer.byteLength(body)),
  }
  response.writeHead(error.status, [...common, ...Object.entries(own).flat()]).end(body)
}
