/** The plugins of a Strapi project: locales, uploads, users and e-mails have settings here; other plugins cannot run. */
import { isObject, type Values } from '../values.ts'
import { sectionAt } from './read-config.ts'
import type { Settings } from './translated-settings.ts'
import { parseBytes, parseSeconds } from './units.ts'

const DAY = 86_400

export function pluginSettings(plugins: Values, settings: Settings): void {
  for (const [plugin, value] of Object.entries(plugins)) {
    const config = sectionAt(value, 'config')
    switch (plugin) {
      case 'i18n':
        localeSettings(config, settings)
        break
      case 'upload':
        uploadSettings(config, settings)
        break
      case 'users-permissions':
        userSettings(config, settings)
        break
      case 'email':
        emailSettings(config, settings)
        break
      default:
        if (!isObject(value) || value.enabled !== false)
          settings.ignore(
            `plugins.${plugin}`,
            PLUGIN_COUNTERPARTS[plugin] ?? 'plugins of Strapi cannot run here',
          )
    }
  }
}

const PLUGIN_COUNTERPARTS: Readonly<Record<string, string>> = {
  documentation: '/api/openapi.json and /docs are always there',
  graphql: 'the REST API',
  sentry: 'telemetry.enabled',
  'users-permissions-ratelimit': 'rateLimit.signIn',
}

function localeSettings(config: Values, settings: Settings): void {
  const { defaultLocale, locales } = config
  const codes = Array.isArray(locales) ? locales.filter((code) => typeof code === 'string') : []
  const first = typeof defaultLocale === 'string' ? defaultLocale : codes[0]
  if (first === undefined) return
  settings.use('plugins.i18n.locales', 'locales', {
    default: first,
    locales: codes.includes(first) ? codes : [first, ...codes],
  })
}

function uploadSettings(config: Values, settings: Settings): void {
  const limit = parseBytes(config.sizeLimit ?? sectionAt(config, 'providerOptions').sizeLimit)
  if (limit !== null) settings.use('plugins.upload.sizeLimit', 'upload.maxFileSize', limit)
  const { breakpoints, provider } = config
  const widths = Object.entries(isObject(breakpoints) ? breakpoints : {}).filter(
    ([, width]) => Number(width) > 0,
  )
  if (widths.length > 0)
    settings.use('plugins.upload.breakpoints', 'upload.images.formats', {
      thumbnail: [245, 156],
      ...Object.fromEntries(widths.map(([name, width]) => [name, [Number(width), Number(width)]])),
    })
  if (provider !== undefined && provider !== 'local')
    settings.ignore(
      `plugins.upload.provider (${String(provider)})`,
      'upload.s3; without it, files are stored on disk',
    )
  if (config.security !== undefined)
    settings.ignore('plugins.upload.security', 'types are detected from the bytes')
}

function userSettings(config: Values, settings: Settings): void {
  const setting = 'plugins.users-permissions'
  const lifetime = parseSeconds(sectionAt(config, 'jwt').expiresIn)
  if (lifetime !== null)
    settings.use(
      `${setting}.jwt.expiresIn`,
      'auth.longLivedDays',
      Math.min(3650, Math.max(1, Math.round(lifetime / DAY))),
    )
  if (config.jwtManagement === 'refresh') settings.use(`${setting}.jwtManagement`, 'auth.sessions', 'refresh')
  const sessions = sectionAt(config, 'sessions')
  const access = parseSeconds(sessions.accessTokenLifespan)
  if (access !== null)
    settings.use(
      `${setting}.sessions.accessTokenLifespan`,
      'auth.accessMinutes',
      Math.max(1, Math.round(access / 60)),
    )
  const refresh = parseSeconds(sessions.maxRefreshTokenLifespan)
  if (refresh !== null)
    settings.use(
      `${setting}.sessions.maxRefreshTokenLifespan`,
      'auth.refreshDays',
      Math.min(3650, Math.max(1, Math.round(refresh / DAY))),
    )
  const { allowedFields } = sectionAt(config, 'register')
  if (Array.isArray(allowedFields) && allowedFields.every((field) => typeof field === 'string'))
    settings.use(`${setting}.register.allowedFields`, 'auth.registration.fields', allowedFields)
  if (config.ratelimit !== undefined) settings.ignore(`${setting}.ratelimit`, 'rateLimit.signIn')
}

function emailSettings(config: Values, settings: Settings): void {
  const { defaultFrom } = sectionAt(config, 'settings')
  if (typeof defaultFrom === 'string')
    settings.use('plugins.email.settings.defaultFrom', 'email.from', defaultFrom)
  const { host, port, secure, auth } = sectionAt(config, 'providerOptions')
  if (config.provider !== 'nodemailer' || typeof host !== 'string') {
    if (config.provider !== undefined) settings.ignore('plugins.email.provider', 'email.smtp')
    return
  }
  const { user, pass } = sectionAt(auth)
  const credentials =
    typeof user === 'string' ? `${encodeURIComponent(user)}:${encodeURIComponent(String(pass ?? ''))}@` : ''
  settings.use(
    'plugins.email.providerOptions',
    'email.smtp',
    `${secure === true ? 'smtps' : 'smtp'}://${credentials}${host}${port === undefined ? '' : `:${String(port)}`}`,
  )
}
