/** `GET /api/i18n/locales`: the locales of the project. */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { LOCALE } from '../../access/roles/permissions.ts'
import { permittedScope } from '../auth/permitted.ts'
import { declareRoute, type Handler } from '../method-routes.ts'
import type { Server } from '../server.ts'

/** Configured locales have no dates; clients expect some, the same from every process and after every start. */
const NO_DATE = new Date(0).toISOString()

export function localeRoutes(app: FastifyInstance, server: Server): void {
  const list: Handler = async (request) => {
    const { authorization } = request.headers
    await permittedScope({ server, authorization }, LOCALE, 'find')
    const { locales } = server.layout().model
    return locales.codes.map((code, index) => ({
      id: index + 1,
      documentId: documentIdOf(code),
      name: locales.names?.get(code) ?? nameOf(code, code === locales.default),
      code,
      createdAt: NO_DATE,
      updatedAt: NO_DATE,
      publishedAt: NO_DATE,
      isDefault: code === locales.default,
    }))
  }
  declareRoute(app, '/api/i18n/locales', { GET: list })
}

/** Locales have no rows, so their ids are derived from their codes. */
const documentIdOf = (code: string) => `l${createHash('sha256').update(code).digest('hex').slice(0, 23)}`

/** As recorded: the default locale has its English name, the others have their code. */
function nameOf(code: string, isDefault: boolean): string {
  if (!isDefault) return code
  const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(code)
  return name ? `${name} (${code})` : code
}
