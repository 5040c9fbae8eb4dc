/** The settings of a Strapi project: those with a counterpart are used, the others are listed with the setting to use instead. */
import { hash } from 'node:crypto'
import { isWebUrl } from '../config/addresses.ts'
import { defaults } from '../config/defaults.ts'
import type { Environment } from '../config/environment.ts'
import type { Values } from '../values.ts'
import { middlewareSettings } from './middlewares.ts'
import { pluginSettings } from './plugins.ts'
import { type StrapiConfig, sectionAt } from './read-config.ts'
import { Settings, type TranslatedSettings } from './translated-settings.ts'

/** Ours have this length. Strapi signs with secrets of any length, and generates 16 random bytes as base64. */
const OWN_SECRET_LENGTH = 32
const MIN_SECRET_LENGTH = 22

export function translateSettings({ files }: StrapiConfig, env: Environment): TranslatedSettings {
  const settings = new Settings()
  serverSettings(sectionAt(files.get('server')), settings)
  apiSettings(sectionAt(files.get('api')), settings)
  middlewareSettings(files.get('middlewares'), settings)
  pluginSettings(sectionAt(files.get('plugins')), settings)
  secretSetting(sectionAt(files.get('plugins'), 'users-permissions', 'config'), env, settings)
  if (files.has('database') || env.DATABASE_URL)
    settings.ignore('database', 'database.url, or OCTAVO_DATABASE_URL; bring the content with octavo import')
  for (const key of Object.keys(sectionAt(files.get('admin'))))
    settings.ignore(`admin.${key}`, 'the admin app has its own settings')
  return settings.translated
}

function serverSettings(server: Values, settings: Settings): void {
  for (const [key, value] of Object.entries(server)) {
    const name = `server.${key}`
    if (value === undefined || value === null || value === '') continue
    if (key === 'host' && typeof value === 'string') settings.use(name, 'server.host', value)
    else if (key === 'port' && isPort(value)) settings.use(name, 'server.port', Number(value))
    else if (key === 'url' && typeof value === 'string' && isWebUrl(value))
      settings.use(name, 'server.url', value)
    else if (key === 'dirs' && typeof sectionAt(value).public === 'string')
      settings.use('server.dirs.public', 'upload.directory', `${sectionAt(value).public}/uploads`)
    else settings.ignore(name, SERVER_COUNTERPARTS[key] ?? 'no counterpart')
  }
}

const isPort = (value: unknown) =>
  Number.isInteger(Number(value)) && Number(value) >= 0 && Number(value) < 65_536

const SERVER_COUNTERPARTS: Readonly<Record<string, string>> = {
  app: 'no keys are needed for cookies',
  proxy: 'server.trustedProxies',
  cron: 'run scheduled work in a process of its own',
  webhooks: 'config/webhooks.json',
  logger: 'log.requests and log.slowQueryMs',
  transfer: 'octavo export and octavo import',
  http: 'server.headersSeconds and server.requestSeconds',
}

function apiSettings(api: Values, settings: Settings): void {
  const rest = sectionAt(api, 'rest')
  for (const [key, value] of Object.entries(rest)) {
    if ((key === 'defaultLimit' || key === 'maxLimit') && isLimit(value))
      settings.use(`api.rest.${key}`, `api.rest.${key}`, value)
    else if (key === 'strictParams' && typeof value === 'boolean')
      settings.use('api.rest.strictParams', 'api.rest.strictParams', value)
    else if ((key === 'withCount' && value === true) || (key === 'prefix' && value === '/api')) continue
    else settings.ignore(`api.rest.${key}`, REST_COUNTERPARTS[key] ?? 'no counterpart')
  }
  // As in Strapi, the default number is limited too.
  const defaultLimit = isLimit(rest.defaultLimit) ? rest.defaultLimit : defaults.api.rest.defaultLimit
  const maxLimit = isLimit(rest.maxLimit) ? rest.maxLimit : defaults.api.rest.maxLimit
  if (defaultLimit > maxLimit) settings.use('api.rest.maxLimit', 'api.rest.defaultLimit', maxLimit)
  for (const key of Object.keys(api).filter((name) => name !== 'rest'))
    settings.ignore(
      `api.${key}`,
      key === 'responses' ? '"private": true on the attributes in the schema files' : 'no counterpart',
    )
}

const isLimit = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0

const REST_COUNTERPARTS: Readonly<Record<string, string>> = {
  defaultLimit: 'a number of 1 or more',
  maxLimit: 'a number of 1 or more; lists are always limited',
  withCount: 'pagination[withCount] in requests',
  prefix: 'the API is always under /api',
}

function secretSetting(users: Values, env: Environment, settings: Settings): void {
  const secret = users.jwtSecret ?? env.JWT_SECRET
  if (typeof secret !== 'string' || secret === '') return
  const setting = 'plugins.users-permissions.jwtSecret'
  if (secret.length >= OWN_SECRET_LENGTH) settings.use(setting, 'auth.secret', secret)
  else if (secret.length >= MIN_SECRET_LENGTH)
    settings.use(setting, 'auth.secret', hash('sha256', `auth.secret ${secret}`))
  else
    settings.ignore(
      setting,
      `auth.secret, or OCTAVO_AUTH_SECRET, with at least ${OWN_SECRET_LENGTH} characters`,
    )
}
