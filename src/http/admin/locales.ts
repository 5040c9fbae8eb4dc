/**
 * Routes for the locales of a project. Changes are written to its folder and are active when the response is sent.
 * Removing a locale that has content needs `confirm=true`; with `dryRun=true` it is only described.
 */
import type { FastifyInstance } from 'fastify'
import { errors } from '../../errors.ts'
import type { AuditEntry } from '../../events/audit/audit-record.ts'
import type { LocaleChanges, LocalesEdit } from '../../live/locale-changes.ts'
import type { Config } from '../../project/config/config.ts'
import { didYouMean } from '../../project/suggest.ts'
import { declareRoute, type Handler, pathParam } from '../method-routes.ts'
import { actorOf } from '../request/actor.ts'
import { type Body, dataOf, requiredStrings } from '../request/fields.ts'
import type { Server } from '../server.ts'
import { parseFlags } from './change-flags.ts'

type LocalesConfig = Config['locales']
type Request = Parameters<Handler>[0]

export function configuredLocaleRoutes(app: FastifyInstance, server: Server, changes: LocaleChanges): void {
  const current = () => server.project.config.locales
  const { lockReason } = changes
  const meta = { editable: lockReason === null, reason: lockReason }

  async function change(request: Request, entry: AuditEntry, edit: LocalesEdit) {
    await changes.apply(edit)
    await server.access.audit.add(await actorOf(server, request), entry)
  }

  const list: Handler = async () => ({
    data: current().locales.map((code) => localeJson(current(), code)),
    meta,
  })

  const create: Handler = async (request, reply) => {
    const body = dataOf(request.body, ['code', 'name', 'isDefault'])
    const code = requiredStrings(body, ['code'])('code')
    const [name, isDefault] = [parseName(body), parseIsDefault(body)]
    await change(request, { action: 'locale.create', details: { code } }, (locales) => ({
      default: isDefault ? code : locales.default,
      locales: [...locales.locales, code],
      names: withName(locales.names, code, name ?? null),
    }))
    return reply.code(201).send({ data: localeJson(current(), code) })
  }

  const update: Handler = async (request) => {
    const code = pathParam(request, 'code')
    refuseUnknown(current(), code)
    const body = dataOf(request.body, ['name', 'isDefault'])
    const [name, isDefault] = [parseName(body), parseIsDefault(body)]
    if (isDefault === false && code === current().default)
      throw problem('isDefault', 'cannot be false: make another locale the default instead')
    const entry = { action: 'locale.update', fields: Object.keys(body), details: { code } }
    await change(request, entry, (locales) => {
      refuseUnknown(locales, code)
      return {
        ...locales,
        default: isDefault ? code : locales.default,
        names: name === undefined ? locales.names : withName(locales.names, code, name),
      }
    })
    return { data: localeJson(current(), code) }
  }

  const remove: Handler = async (request, reply) => {
    const code = pathParam(request, 'code')
    const { dryRun, confirm } = parseFlags(request)
    const edit: LocalesEdit = (locales) => {
      refuseUnknown(locales, code)
      if (code === locales.default)
        throw errors.application(`${code} is the default locale: make another one the default first`)
      return {
        ...locales,
        locales: locales.locales.filter((one) => one !== code),
        names: withName(locales.names, code, null),
      }
    }
    edit(current())
    const content = await changes.documentsIn(code)
    if (dryRun) return { data: null, meta: { content } }
    if (content.length > 0 && !confirm && lockReason === null) throw errors.localeHasContent(code, content)
    await change(request, { action: 'locale.delete', details: { code } }, edit)
    return reply.code(204).send()
  }

  declareRoute(app, '/locales', { GET: list, POST: create })
  declareRoute(app, '/locales/:code', { PUT: update, DELETE: remove })
}

const localeJson = (locales: LocalesConfig, code: string) => ({
  code,
  name: new Map(Object.entries(locales.names)).get(code) ?? null,
  isDefault: code === locales.default,
})

function refuseUnknown({ locales }: LocalesConfig, code: string): void {
  if (!locales.includes(code)) throw errors.notFound(`There is no locale ${code}${didYouMean(code, locales)}`)
}

/** The names with one changed, or removed if it is null. */
function withName(names: LocalesConfig['names'], code: string, name: string | null): LocalesConfig['names'] {
  const { [code]: _, ...others } = names
  return name === null ? others : { ...others, [code]: name }
}

const MAX_NAME_LENGTH = 100

/** Undefined if the body has no name; null or an empty one removes it. */
function parseName({ name }: Body): string | null | undefined {
  if (name === undefined || name === null) return name
  if (typeof name !== 'string' || name.length > MAX_NAME_LENGTH)
    throw problem('name', `must be a string of at most ${MAX_NAME_LENGTH} characters`)
  return name.trim() === '' ? null : name.trim()
}

function parseIsDefault({ isDefault }: Body): boolean | undefined {
  if (isDefault === undefined || typeof isDefault === 'boolean') return isDefault
  throw problem('isDefault', 'must be true or false')
}

const problem = (name: string, message: string) =>
  errors.invalidValues([{ path: [name], message: `${name} ${message}` }])
