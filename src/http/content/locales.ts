/** The locales of the project, in the plain form that clients of the interface know. */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { LOCALE } from '../../access/roles/permissions.ts'
import { permittedScope } from '../auth/permitted.ts'
import { declareRoute, type Handler } from '../method-routes.ts'
import type { Server } from '../server.ts'

/** The configuration knows no times, and clients expect one that every process and every start agrees on. */
const SINCE = new Date(0).toISOString()

export function localeRoutes(app: FastifyInstance, server: Server): void {
  const list: Handler = async (request) => {
    const { authorization } = request.headers
    await permittedScope({ server, authorization }, LOCALE, 'find')
    const { locales } = server.layout().model
    return locales.codes.map((code, index) => ({
      id: index + 1,
      documentId: documentIdOf(code),
      name: nameOf(code, code === locales.default),
      code,
      createdAt: SINCE,
      updatedAt: SINCE,
      publishedAt: SINCE,
      isDefault: code === locales.default,
    }))
  }
  declareRoute(app, '/api/i18n/locales', { GET: list })
}

/** Locales come from the configuration, so their ids follow from their codes. */
const documentIdOf = (code: string) => `l${createHash('sha256').update(code).digest('hex').slice(0, 23)}`

/** The default locale carries its name in words, the others their code, as the recorded interface has it. */
function nameOf(code: string, isDefault: boolean): string {
  if (!isDefault) return code
  const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(code)
  return name ? `${name} (${code})` : code
}
