/** Checks the credential of a request before its body is read: an invalid one costs neither time nor memory. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Access } from '../../access/access.ts'
import { CONTENT_PATHS } from '../content/paths.ts'

/** The other routes ignore credentials, or belong to the project, which may use another scheme. */
const CHECKED_ROUTES = [...CONTENT_PATHS, '/api/batch']
const CHECKED_PREFIXES = ['/api/auth/', '/api/users', '/api/upload', '/admin/api/']

/** A client that refreshes its session usually still sends the expired access token. */
const IGNORES_CREDENTIALS = '/api/auth/refresh'

const isChecked = (url: string) =>
  CHECKED_ROUTES.includes(url) ||
  (url !== IGNORES_CREDENTIALS && CHECKED_PREFIXES.some((prefix) => url.startsWith(prefix)))

const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

export function checkCredentialsBeforeBodies(app: FastifyInstance, access: Pick<Access, 'scopeOf'>): void {
  app.addHook('onRequest', async ({ headers, routeOptions }) => {
    if (headers.authorization !== undefined && hasBody(headers) && isChecked(routeOptions.url ?? ''))
      await access.scopeOf(headers.authorization)
  })
}
