/**
 * `GET /api/events`: the live feed. A project may have a content-type of that name; then other methods, and requests that
 * do not accept a stream of events, are for the content-type.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../../errors.ts'
import type { Config } from '../../project/config/config.ts'
import { countPerAddress } from '../request/per-address.ts'
import { rawQueryOf } from '../request/query-string.ts'
import type { CommonHeaders } from '../response/common-headers.ts'
import type { Server } from '../server.ts'
import { createFeed, type Feed } from './feed.ts'
import { type FeedParameters, parseFeedParameters } from './parameters.ts'
import { openStream } from './stream.ts'
import type { PresentFile } from './visible-event.ts'

export const FEED_NAME = 'events'

export interface FeedRoute {
  /** Whether a request to `/api/events` is for the feed. */
  accepts(method: string, headers: IncomingHttpHeaders): boolean
  /** Opens a stream. */
  respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** The number of open streams. */
  readonly streams: number
  /** Ends all streams, and refuses new ones. */
  close(): void
}

export interface FeedRouteOptions {
  readonly server: Server
  readonly config: Config['events']
  readonly commonHeaders: CommonHeaders
  readonly excludeFromLimits: (response: ServerResponse) => void
  readonly presentFile: PresentFile
}

const RETRY_SECONDS = 5
/** The only one: a stream has no end, so HEAD could not describe it. */
const METHOD = 'GET'

export function createFeedRoute(options: FeedRouteOptions): FeedRoute {
  const { server, config, commonHeaders, excludeFromLimits, presentFile } = options
  const perAddress = countPerAddress(config.maxStreamsPerAddress)
  let feed: Feed | null = null
  let open = 0
  let isClosed = false

  /** Created with the first stream, so that a server without streams does nothing. */
  const startFeed = () =>
    (feed ??= createFeed({
      ...{ server, log: server.log, presentFile },
      heartbeatMs: config.heartbeatSeconds * 1000,
    }))

  async function parametersOf(request: FastifyRequest): Promise<FeedParameters> {
    const { authorization, 'last-event-id': last } = request.headers
    const scope = await server.access.scopeOf(authorization)
    const { model } = server.layout()
    const given = Array.isArray(last) ? last[0] : last
    const mayFind = (uid: string) => scope.may(uid, 'find')
    const parameters = parseFeedParameters(server.parseQuery(rawQueryOf(request)), given, model, mayFind)
    const { types } = parameters
    const isPermitted = types ? [...types].every(mayFind) : [...model.types.keys()].some(mayFind)
    if (!isPermitted) throw errors.forbidden()
    return parameters
  }

  return {
    accepts: (method, { accept = '' }) =>
      (method === 'GET' && accept.includes('text/event-stream')) ||
      !server.layout().model.endpoints.has(FEED_NAME),
    get streams() {
      return open
    },
    async respond(request, reply) {
      if (request.method === 'OPTIONS') return reply.code(200).header('allow', METHOD).send()
      if (request.method !== METHOD) throw errors.methodNotAllowed(request.method, [METHOD])
      const parameters = await parametersOf(request)
      if (isClosed || open >= config.maxStreams)
        throw errors.unavailable(RETRY_SECONDS, 'Too many event streams')
      if (perAddress.isFull(request.ip)) throw errors.tooManyOpen(RETRY_SECONDS)
      const removeFromAddress = perAddress.add(request.ip)
      open++
      const { raw } = reply
      raw.once('close', () => {
        open--
        removeFromAddress()
      })
      reply.hijack()
      excludeFromLimits(raw)
      const headers = commonHeaders.list(request.headers.origin, request.id)
      const stream = openStream(raw, headers, config.maxWaitingBytes)
      startFeed()
        .add(stream, parameters, request.headers.authorization)
        .catch((error: unknown) => {
          server.log.warn({ err: error, request: request.id }, 'A stream of events has failed')
          stream.end()
        })
      return reply
    },
    close() {
      isClosed = true
      feed?.close()
    },
  }
}
