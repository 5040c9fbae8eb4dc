/**
 * The MCP server over HTTP: one message per POST, without sessions. A request needs a bearer credential; the cookie of the
 * admin app is not one, so that no page can act for its visitors.
 */
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerOf } from '../../access/credentials/bearer.ts'
import { errors } from '../../errors.ts'
import { StartError } from '../../store/errors.ts'
import { declareRoute } from '../method-routes.ts'
import { clientOf } from '../request/client.ts'
import type { Server } from '../server.ts'
import { checkMcpOrigin } from './check-origin.ts'
import { createMcp, type McpOptions } from './mcp.ts'
import type { McpCaller } from './tool.ts'

export async function mcpRoute(app: FastifyInstance, options: McpOptions): Promise<void> {
  const mcp = createMcp(options)
  const { server } = options
  const { config } = server.project
  const { path, bodyLimit } = config.mcp
  if (app.hasRoute({ method: 'GET', url: path }) || app.hasRoute({ method: 'POST', url: path }))
    throw new StartError(`mcp.path: ${path} is the path of another route`)

  await app.register(async (scoped) => {
    // Before the body is read.
    scoped.addHook('onRequest', async (request) => {
      if (request.method !== 'POST') return
      checkMcpOrigin(request, config)
      await checkCredential(server, request)
    })
    declareRoute(scoped, path, {
      bodyLimit,
      async POST(request, reply) {
        const caller = callerOf(request)
        const handler = createMcpHandler(() => mcp.serverFor(caller), {
          // The list of tools is built at each request: there is nothing to subscribe to.
          maxSubscriptions: 0,
          onerror: (error) => request.log.debug({ err: error, request: request.id }, 'MCP message refused'),
        })
        return reply.send(await handler.fetch(webRequestOf(request), { parsedBody: messageIn(request.body) }))
      },
    })
  })
}

/** Throws a 401 unless the request has a valid bearer credential. */
async function checkCredential({ access }: Server, { headers }: FastifyRequest): Promise<void> {
  if (bearerOf(headers.authorization) === null) throw errors.bearerRequired()
  await access.scopeOf(headers.authorization)
}

const callerOf = (request: FastifyRequest): McpCaller => ({
  authorization: request.headers.authorization ?? '',
  requestId: () => request.id,
  client: clientOf(request),
  userAgent: request.headers['user-agent'] ?? null,
})

/** Older versions of the protocol allow lists, with which one request could do any amount of work. */
function messageIn(body: unknown): unknown {
  if (Array.isArray(body)) throw errors.invalid('Send one JSON-RPC message per request, not a list')
  if (body === undefined) throw errors.syntax('The body must be a JSON-RPC message, sent as application/json')
  return body
}

/** The headers that the protocol uses. The body is passed parsed. */
const PROTOCOL_HEADERS = /^(accept|content-type|last-event-id|mcp-.*)$/

function webRequestOf({ headers, url }: FastifyRequest): Request {
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && PROTOCOL_HEADERS.test(name) ? [[name, value]] : [],
  )
  return new Request(new URL(url, 'http://localhost'), { method: 'POST', headers: sent })
}
