/** Adds the routes of a project. Their query strings are parsed as everywhere; routes with a schema are documented. */
import type { FastifyInstance } from 'fastify'
import type { CustomRoute } from '../openapi/paths/custom.ts'
import { parseQueryString, rawQueryOf } from '../request/query-string.ts'
import { PAGE_HEADERS } from '../response/common-headers.ts'
import type { Server } from '../server.ts'
import type { Extension } from './extension.ts'

/** Adds the routes, and those with a schema to `documented`. */
export async function customRoutes(
  app: FastifyInstance,
  server: Server,
  routes: Extension['routes'],
  documented: CustomRoute[],
): Promise<void> {
  if (!routes) return
  const { bounds } = server.project.config.api.rest
  await app.register(async (scoped) => {
    scoped.addHook('onRoute', ({ method, url, schema, config }) => {
      if (!schema || schema.hide) return
      const documentedFor = config?.documentedFor ?? (() => true)
      for (const one of [method].flat()) documented.push({ method: one, url, schema, documentedFor })
    })
    scoped.addHook('onRequest', async (_request, reply) => void reply.headers(PAGE_HEADERS))
    // Validation fills in defaults and converts values, so each request gets an object of its own.
    scoped.addHook('preValidation', async (request) => {
      request.query = parseQueryString(rawQueryOf(request), bounds)
    })
    await routes(scoped, server)
  })
}
