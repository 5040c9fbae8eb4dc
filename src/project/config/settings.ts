/** Every setting of the configuration and its kind. The compiler keeps this list and `Config` together. */

import { isObject } from '../values.ts'
import type { AuthConfig, Config, Permission, RateLimitConfig, TokenConfig, UploadConfig } from './config.ts'
import { isPostgresUrl, urlProblem } from './database-url.ts'
import {
  amount,
  anything,
  between,
  count,
  flag,
  list,
  type Note,
  nullable,
  oneOf,
  openSection,
  record,
  required,
  type Setting,
  section,
  size,
  text,
  textOr,
  texts,
  wordOr,
} from './setting.ts'

export const MOST_WORKERS = 256

/** A timer cannot wait longer than 24 days; one that is told to does not wait at all. */
const MOST_SECONDS = 2_000_000
const seconds = between(1, MOST_SECONDS)
const secondsOrNone = between(0, MOST_SECONDS)
/** Ten years: what lasts longer is for ever, and in the end no date any more. */
const days = between(1, 3_650)
const minutes = between(1, 5_256_000)

const permission: Setting<Permission> = textOr(
  section<Exclude<Permission, string>>(
    { action: text, filters: anything, fields: texts },
    required('action'),
  ),
)

const permissions = record(list(permission, 'actions such as "find"'), 'content-type uids')

const token = section<TokenConfig>(
  { type: oneOf('read-only', 'full-access', 'custom'), token: text, env: text, permissions },
  (value, path, note) => {
    required('type')(value, path, note)
    if ((value.token === undefined) === (value.env === undefined)) note(path, 'must have either token or env')
  },
)

const LOCALE = /^[A-Za-z0-9]+([-_@.][A-Za-z0-9]+)*$/

const locales = section<Config['locales']>({ default: text, locales: texts }, (value, path, note) => {
  const codes: readonly unknown[] = Array.isArray(value.locales) ? value.locales : []
  if (value.locales !== undefined && codes.length === 0)
    note(`${path}.locales`, 'must have at least one code')
  for (const [index, code] of codes.entries()) {
    if (typeof code === 'string' && !LOCALE.test(code)) {
      note(`${path}.locales`, `"${code}" is not a locale code such as en or pt-BR`)
    }
    if (codes.indexOf(code) !== index) note(`${path}.locales`, `has "${code}" more than once`)
  }
})

const upload = openSection<UploadConfig>({
  directory: text,
  maxFileSize: amount,
  maxFiles: amount,
  maxAtOnce: amount,
  images: section<UploadConfig['images']>({
    maxPixels: amount,
    optimize: flag,
    quality: between(1, 100),
    autoOrient: flag,
    stripMetadata: flag,
    formats: record(size, 'format names'),
    placeholder: flag,
    concurrency: amount,
  }),
})

/** Passwords themselves may be longer; what asks for more would let nobody in. */
const LONGEST_LEAST_PASSWORD = 72

const auth = section<AuthConfig>({
  sessions: oneOf('long-lived', 'refresh'),
  secret: nullable(text),
  longLivedDays: days,
  accessMinutes: minutes,
  refreshDays: days,
  codeMinutes: minutes,
  passwordMinLength: between(1, LONGEST_LEAST_PASSWORD),
  registration: section<AuthConfig['registration']>({ enabled: flag, role: text, fields: texts }),
  confirmEmail: flag,
  resetPasswordUrl: nullable(text),
  confirmedUrl: nullable(text),
})

const rateLimit = section<RateLimitConfig>({
  signIn: section<RateLimitConfig['signIn']>({
    windowSeconds: seconds,
    perIdentifier: amount,
    perAddress: amount,
  }),
  general: nullable(
    section<NonNullable<RateLimitConfig['general']>>(
      { windowSeconds: seconds, requests: amount },
      required('windowSeconds', 'requests'),
    ),
  ),
})

const rest = section<Config['api']['rest']>({
  defaultLimit: amount,
  maxLimit: amount,
  compat: oneOf('none', 'strapi'),
  strictParams: flag,
  bounds: section<Config['api']['rest']['bounds']>({
    depth: amount,
    keys: amount,
    listLength: amount,
    planSize: amount,
  }),
})

const databaseUrl: Setting<string> = {
  ...text,
  check(value, path, note) {
    const problem = typeof value === 'string' ? urlProblem(value) : 'must be a text'
    if (problem) note(path, problem)
  },
}

const database = section<Config['database']>({
  url: databaseUrl,
  poolSize: amount,
  maxWaiting: amount,
  waitSeconds: seconds,
  statementSeconds: secondsOrNone,
  replicas: texts,
  replicaMaxLag: seconds,
})

/** The whole configuration. */
export const configSetting: Setting<Config> = section<Config>({
  server: section<Config['server']>({
    host: text,
    port: between(0, 65_535),
    url: nullable(text),
    trustedProxies: texts,
    bodyLimit: amount,
    workers: wordOr('auto', between(1, MOST_WORKERS)),
    maxConnections: amount,
    maxOpenRequests: amount,
    headersSeconds: seconds,
    requestSeconds: seconds,
    graceSeconds: secondsOrNone,
    stuckSeconds: secondsOrNone,
  }),
  database,
  api: section<Config['api']>({ rest }),
  cache: section<Config['cache']>({ enabled: flag, counts: flag, maxBytes: amount, control: text }),
  locales,
  schema: section<Config['schema']>({ editable: flag }),
  auth,
  email: section<Config['email']>({ from: text, smtp: nullable(text) }),
  rateLimit,
  cors: section<Config['cors']>({ origins: wordOr('*', texts), credentials: flag }),
  roles: record(permissions, 'role names'),
  tokens: record(token, 'token names'),
  upload,
  metrics: section<Config['metrics']>({ enabled: flag, token: nullable(text) }),
  log: section<Config['log']>({ requests: flag, slowQueryMs: count }),
  telemetry: section<Config['telemetry']>({ enabled: flag }),
  extend: anything,
})

const SHORTEST_TOKEN = 32

/** Notes what is wrong between settings, in a configuration whose single settings are right. */
export function checkTogether({ database, api, locales, metrics }: Config, note: Note) {
  if (!database.replicas.every(isPostgresUrl)) {
    note('database.replicas', 'must be a list of postgres://… urls')
  } else if (database.replicas.length > 0 && !isPostgresUrl(database.url)) {
    note('database.replicas', 'only a PostgreSQL database has replicas; database.url is none')
  }
  if (api.rest.defaultLimit > api.rest.maxLimit) {
    note('api.rest.defaultLimit', `is more than api.rest.maxLimit (${api.rest.maxLimit})`)
  }
  if (metrics.token !== null && metrics.token.length < SHORTEST_TOKEN) {
    note('metrics.token', `must have at least ${SHORTEST_TOKEN} characters`)
  }
  if (!locales.locales.includes(locales.default)) {
    note('locales.default', `must be one of the locales ${locales.locales.join(', ')}`)
  }
}

/** One configuration laid over another: sections merge, every other setting is replaced. */
export function overlay<T>(base: T, over: unknown, setting?: Setting<unknown>): T
export function overlay(base: unknown, over: unknown, setting: Setting<unknown> = configSetting): unknown {
  if (over === undefined) return base
  if (!setting.inner || !isObject(base) || !isObject(over)) return over
  const merged: Record<string, unknown> = { ...base, ...(setting.isOpen && over) }
  for (const [key, inner] of Object.entries(setting.inner)) {
    if (Object.hasOwn(over, key)) merged[key] = overlay(base[key], over[key], inner)
  }
  return merged
}

/** The settings that have no settings inside, by dotted path. */
export function leaves(
  setting: Setting<unknown> = configSetting,
  path = '',
): [path: string, setting: Setting<unknown>][] {
  if (!setting.inner) return [[path, setting]]
  return Object.entries(setting.inner).flatMap(([key, inner]) =>
    leaves(inner, path === '' ? key : `${path}.${key}`),
  )
}
