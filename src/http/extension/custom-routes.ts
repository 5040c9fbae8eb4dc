/** Routes that a project adds: they read parameters as all others do, and those with a schema are in the documentation. */

import type { FastifyInstance } from 'fastify'
import type { CustomRoute } from '../openapi/paths/custom.ts'
import { parseQueryString, rawQueryOf } from '../request/query-string.ts'
import { PAGE_HEADERS } from '../response/common-headers.ts'
import type { Server } from '../server.ts'
import type { Extension } from './extension.ts'

/** Adds the routes; those that tell of themselves are put into `declared`. */
export async function customRoutes(
  app: FastifyInstance,
  server: Server,
  routes: Extension['routes'],
  declared: CustomRoute[],
): Promise<void> {
  if (!routes) return
  const { bounds } = server.project.config.api.rest
  await app.register(async (scoped) => {
    scoped.addHook('onRoute', ({ method, url, schema, config }) => {
      if (!schema || schema.hide) return
      const documentedFor = config?.documentedFor ?? (() => true)
      for (const one of [method].flat()) declared.push({ method: one, url, schema, documentedFor })
    })
    scoped.addHook('onRequest', async (_request, reply) => void reply.headers(PAGE_HEADERS))
    scoped.addHook('preValidation', async (request) => {
      request.query = parseQueryString(rawQueryOf(request), bounds)
    })
    await routes(scoped, server)
  })
}
