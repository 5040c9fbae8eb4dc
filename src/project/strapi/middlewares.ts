/** The middlewares of a Strapi project: cross-origin requests and the size of bodies have settings here. */
import { isOrigin } from '../config/addresses.ts'
import { isObject, type Values } from '../values.ts'
import { sectionAt } from './read-config.ts'
import type { Settings } from './translated-settings.ts'
import { parseBytes } from './units.ts'

/** Middlewares of Strapi that the server does without settings. */
const BUILT_IN =
  /^strapi::(logger|errors|security|poweredBy|query|session|favicon|public|compression|responseTime)$/

export function middlewareSettings(middlewares: unknown, settings: Settings): void {
  if (!Array.isArray(middlewares)) return
  for (const one of middlewares) {
    const name = typeof one === 'string' ? one : isObject(one) ? String(one.name ?? one.resolve ?? '') : ''
    const config = sectionAt(one, 'config')
    if (name === 'strapi::cors') corsSettings(config, settings)
    else if (name === 'strapi::body') bodySettings(config, settings)
    else if (BUILT_IN.test(name)) {
      if (Object.keys(config).length > 0) settings.ignore(`middlewares ${name}`, BUILT_IN_COUNTERPART)
    } else if (name !== '') settings.ignore(`middlewares ${name}`, 'hooks and routes (docs/extending.md)')
  }
}

const BUILT_IN_COUNTERPART = 'the server does this without settings'

function corsSettings(config: Values, settings: Settings): void {
  const { origin, credentials, enabled } = config
  const setting = 'middlewares strapi::cors'
  const listed = typeof origin === 'string' ? origin.split(',').map((one) => one.trim()) : origin
  const origins = Array.isArray(listed)
    ? listed.filter((one) => typeof one === 'string').map(withoutTrailingSlash)
    : null
  if (enabled === false) settings.use(`${setting} enabled`, 'cors.origins', [])
  else if (origins?.includes('*')) settings.use(`${setting} origin`, 'cors.origins', '*')
  else if (origins) {
    settings.use(`${setting} origin`, 'cors.origins', origins.filter(isOrigin))
    for (const one of origins)
      if (!isOrigin(one)) settings.ignore(`${setting} origin ${one}`, 'cors.origins: https://example.com')
    if (credentials !== false) settings.use(`${setting} credentials`, 'cors.credentials', true)
  } else if (origin !== undefined) settings.ignore(`${setting} origin`, 'cors.origins: a list of origins')
  for (const key of ['methods', 'headers', 'expose', 'maxAge', 'keepHeaderOnError'])
    if (config[key] !== undefined) settings.ignore(`${setting} ${key}`, 'all that clients need are allowed')
}

const withoutTrailingSlash = (origin: string) => origin.replace(/\/$/, '')

function bodySettings(config: Values, settings: Settings): void {
  const setting = 'middlewares strapi::body'
  const limit = parseBytes(config.jsonLimit)
  if (limit !== null) settings.use(`${setting} jsonLimit`, 'server.bodyLimit', limit)
  const fileSize = parseBytes(sectionAt(config, 'formidable').maxFileSize)
  if (fileSize !== null) settings.use(`${setting} maxFileSize`, 'upload.maxFileSize', fileSize)
  for (const key of Object.keys(config))
    if (!['jsonLimit', 'formidable', 'formLimit', 'textLimit'].includes(key))
      settings.ignore(`${setting} ${key}`, 'server.bodyLimit and upload.maxFileSize')
}
