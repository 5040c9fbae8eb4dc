/** Creates Fastify's app with the settings that all routes share. */
import type { IncomingMessage } from 'node:http'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Config } from '../project/config/config.ts'
import type { Listener } from './listener.ts'
import { logOptions } from './logging/redact.ts'
import { proxyOptions } from './network-edge.ts'
import { malformedOptions } from './request/malformed.ts'
import type { CommonHeaders } from './response/common-headers.ts'
import { lazyCompilers } from './schema-compilers.ts'

export interface FastifyAppOptions {
  readonly config: Config
  readonly headers: CommonHeaders
  readonly listener: Listener
  readonly requestIdOf: (request: IncomingMessage) => string
  /** Whether the project has routes of its own. */
  readonly hasOwnRoutes: boolean
  readonly logLevel: string | undefined
  readonly logTo: { write(line: string): void } | undefined
}

export function createFastifyApp(options: FastifyAppOptions): FastifyInstance {
  const { config, headers, listener, requestIdOf, hasOwnRoutes, logLevel = 'warn', logTo } = options
  return fastify({
    ...proxyOptions(config),
    ...malformedOptions(headers),
    serverFactory: listener.serverFactory,
    logger: { ...logOptions, level: logLevel, ...(logTo && { stream: logTo }) },
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request costs more than the rest of Fastify. Log lines carry the request id instead.
    childLoggerFactory: (logger) => logger,
    genReqId: requestIdOf,
    bodyLimit: config.server.bodyLimit,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // Routes of a project need the compilers from the start: only then does Fastify lower-case header names in schemas.
    ...(hasOwnRoutes ? {} : { schemaController: { compilersFactory: lazyCompilers } }),
    routerOptions: { ignoreTrailingSlash: true, querystringParser: () => ({}) },
  })
}
