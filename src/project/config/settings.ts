/** All settings of the configuration. The compiler checks that this list matches `Config`. */

import { isIP } from 'node:net'
import { isObject } from '../values.ts'
import type {
  AdminConfig,
  AuthConfig,
  Config,
  LimitByRole,
  Permission,
  RateLimitConfig,
  TokenConfig,
  UploadConfig,
  WebhookConfig,
} from './config.ts'
import { databaseUrlProblem, isPostgresUrl } from './database-url.ts'
import {
  anyObject,
  boolean,
  integerBetween,
  list,
  literalOr,
  nonNegativeInteger,
  nullable,
  numberOr,
  oneOf,
  openSection,
  positiveInteger,
  type Report,
  record,
  required,
  type Setting,
  section,
  size,
  string,
  stringOr,
  strings,
} from './setting.ts'

export const MAX_WORKERS = 256

/** A Node timer of more than 24 days fires immediately. */
const MAX_SECONDS = 2_000_000
const seconds = integerBetween(1, MAX_SECONDS)
const secondsOrNone = integerBetween(0, MAX_SECONDS)
const milliseconds = integerBetween(50, MAX_SECONDS * 1000)
/** Ten years: much longer periods would exceed the range of dates. */
const days = integerBetween(1, 3_650)
const minutes = integerBetween(1, 5_256_000)

const permission: Setting<Permission> = stringOr(
  section<Exclude<Permission, string>>(
    { action: string, filters: anyObject, fields: strings },
    required('action'),
  ),
)

const permissions = record(list(permission, 'actions such as "find"'), 'content-type uids')

const token = section<TokenConfig>(
  { type: oneOf('read-only', 'full-access', 'custom'), token: string, env: string, permissions },
  (value, path, report) => {
    required('type')(value, path, report)
    if ((value.token === undefined) === (value.env === undefined))
      report(path, 'must have either token or env')
  },
)

const LOCALE = /^[A-Za-z0-9]+([-_@.][A-Za-z0-9]+)*$/

const locales = section<Config['locales']>({ default: string, locales: strings }, (value, path, report) => {
  const codes: readonly unknown[] = Array.isArray(value.locales) ? value.locales : []
  if (value.locales !== undefined && codes.length === 0)
    report(`${path}.locales`, 'must have at least one locale')
  for (const [index, code] of codes.entries()) {
    if (typeof code === 'string' && !LOCALE.test(code)) {
      report(`${path}.locales`, `"${code}" is not a locale code such as en or pt-BR`)
    }
    if (codes.indexOf(code) !== index) report(`${path}.locales`, `"${code}" is listed more than once`)
  }
})

const upload = openSection<UploadConfig>({
  directory: string,
  maxFileSize: positiveInteger,
  maxFiles: positiveInteger,
  maxAtOnce: positiveInteger,
  images: section<UploadConfig['images']>({
    maxPixels: positiveInteger,
    optimize: boolean,
    quality: integerBetween(1, 100),
    autoOrient: boolean,
    stripMetadata: boolean,
    formats: record(size, 'format names'),
    placeholder: boolean,
    concurrency: positiveInteger,
  }),
})

/** Passwords may be longer, but a policy that requires it would lock everyone out. */
const MAX_PASSWORD_MIN_LENGTH = 72

/** In KiB: the least that argon2 accepts, and 4 GiB. */
const MIN_ARGON2_MEMORY = 8
const MAX_ARGON2_MEMORY = 4_194_304

const auth = section<AuthConfig>({
  sessions: oneOf('long-lived', 'refresh'),
  secret: nullable(string),
  longLivedDays: days,
  accessMinutes: minutes,
  refreshDays: days,
  codeMinutes: minutes,
  password: section<AuthConfig['password']>({
    minLength: integerBetween(1, MAX_PASSWORD_MIN_LENGTH),
    refuseCommon: boolean,
  }),
  passwordMemory: integerBetween(MIN_ARGON2_MEMORY, MAX_ARGON2_MEMORY),
  registration: section<AuthConfig['registration']>({ enabled: boolean, role: string, fields: strings }),
  confirmEmail: boolean,
  resetPasswordUrl: nullable(string),
  confirmedUrl: nullable(string),
})

const pathOutsideApi = (example: string): Setting<string> => ({
  ...string,
  check(value, path, report) {
    if (typeof value !== 'string' || !/^(\/[a-z0-9_-]+)+$/i.test(value) || /^\/api(\/|$)/.test(value))
      report(path, `must be a path such as ${example}, and not below /api`)
  },
})

const admin = section<AdminConfig>({
  enabled: boolean,
  path: pathOutsideApi('/admin'),
  roles: strings,
  idleMinutes: minutes,
  sessionHours: integerBetween(1, 87_600),
  invitationDays: days,
})

const rateLimit = section<RateLimitConfig>({
  signIn: section<RateLimitConfig['signIn']>({
    windowSeconds: seconds,
    perIdentifier: positiveInteger,
    perAddress: positiveInteger,
    perAccount: positiveInteger,
  }),
  general: nullable(
    section<NonNullable<RateLimitConfig['general']>>(
      { windowSeconds: seconds, requests: positiveInteger },
      required('windowSeconds', 'requests'),
    ),
  ),
})

const rest = section<Config['api']['rest']>({
  defaultLimit: positiveInteger,
  maxLimit: positiveInteger,
  compat: oneOf('none', 'strapi'),
  strictParams: boolean,
  bounds: section<Config['api']['rest']['bounds']>({
    depth: positiveInteger,
    keys: positiveInteger,
    listLength: positiveInteger,
    planSize: positiveInteger,
  }),
})

const byRole = (limit: Setting<number>): Setting<LimitByRole> =>
  numberOr(limit, record(limit, 'limits by role'))

const databaseUrl: Setting<string> = {
  ...string,
  check(value, path, report) {
    const problem = typeof value === 'string' ? databaseUrlProblem(value) : 'must be a string'
    if (problem) report(path, problem)
  },
}

const database = section<Config['database']>({
  url: databaseUrl,
  poolSize: positiveInteger,
  maxWaiting: positiveInteger,
  waitSeconds: seconds,
  statementSeconds: secondsOrNone,
  replicas: strings,
  replicaMaxLag: seconds,
})

/** A host name, an IP address, or a network such as 10.0.0.0/8. */
function isHostOrNetwork(entry: string): boolean {
  const [address = '', prefix] = entry.split('/')
  const family = isIP(address)
  if (family === 0) return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(entry)
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32))
}

const hosts: Setting<readonly string[]> = {
  ...strings,
  check(value, path, report) {
    strings.check(value, path, report)
    for (const entry of Array.isArray(value) ? value : [])
      if (typeof entry === 'string' && !isHostOrNetwork(entry))
        report(path, `"${entry}" is not a host name, an IP address or a network such as 10.0.0.0/8`)
  },
}

const webhook = section<WebhookConfig>(
  {
    ...{ url: string, events: strings, types: strings, filters: anyObject, enabled: boolean },
    ...{ headers: record(string, 'header names'), secret: string, env: string },
  },
  (value, path, report) => {
    required('url')(value, path, report)
    if ((value.secret === undefined) === (value.env === undefined))
      report(path, 'must have either secret or env')
  },
)

/** The whole configuration. */
export const configSetting: Setting<Config> = section<Config>({
  server: section<Config['server']>({
    host: string,
    port: integerBetween(0, 65_535),
    url: nullable(string),
    trustedProxies: strings,
    bodyLimit: positiveInteger,
    workers: literalOr('auto', integerBetween(1, MAX_WORKERS)),
    maxConnections: positiveInteger,
    maxConnectionsPerAddress: positiveInteger,
    maxOpenRequests: positiveInteger,
    maxOpenRequestsPerAddress: positiveInteger,
    headersSeconds: seconds,
    bodySeconds: seconds,
    requestSeconds: seconds,
    graceSeconds: secondsOrNone,
    stuckSeconds: secondsOrNone,
  }),
  database,
  api: section<Config['api']>({ rest }),
  cache: section<Config['cache']>({
    enabled: boolean,
    counts: boolean,
    maxBytes: positiveInteger,
    control: string,
  }),
  limits: section<Config['limits']>({
    readMs: byRole(milliseconds),
    responseBytes: byRole(positiveInteger),
    readRows: positiveInteger,
  }),
  locales,
  schema: section<Config['schema']>({ editable: boolean }),
  auth,
  admin,
  email: section<Config['email']>({ from: string, smtp: nullable(string) }),
  rateLimit,
  cors: section<Config['cors']>({ origins: literalOr('*', strings), credentials: boolean }),
  roles: record(permissions, 'role names'),
  tokens: record(token, 'token names'),
  upload,
  events: section<Config['events']>({
    enabled: boolean,
    keepDays: days,
    maxEvents: positiveInteger,
    maxStreams: positiveInteger,
    maxStreamsPerAddress: positiveInteger,
    maxWaitingBytes: positiveInteger,
    heartbeatSeconds: seconds,
  }),
  docs: section<Config['docs']>({ enabled: boolean }),
  schedules: section<Config['schedules']>({ enabled: boolean }),
  releases: section<Config['releases']>({ enabled: boolean, keepDays: days, maxReleases: positiveInteger }),
  notices: section<Config['notices']>({ keepDays: days, maxNotices: positiveInteger }),
  history: section<Config['history']>({ enabled: boolean, keepDays: days, maxVersions: positiveInteger }),
  mcp: section<Config['mcp']>({
    enabled: boolean,
    path: pathOutsideApi('/mcp'),
    readOnly: boolean,
    bodyLimit: positiveInteger,
  }),
  webhooks: section<Config['webhooks']>({
    enabled: boolean,
    allow: hosts,
    timeoutSeconds: integerBetween(1, 60),
    maxPerSecond: positiveInteger,
    keepDays: days,
    maxDeliveries: positiveInteger,
    endpoints: record(webhook, 'webhook names'),
  }),
  audit: section<Config['audit']>({ enabled: boolean, keepDays: days, maxRecords: positiveInteger }),
  metrics: section<Config['metrics']>({ enabled: boolean, token: nullable(string) }),
  log: section<Config['log']>({ requests: boolean, slowQueryMs: nonNegativeInteger }),
  telemetry: section<Config['telemetry']>({ enabled: boolean }),
  extend: anyObject,
})

const MIN_TOKEN_LENGTH = 32

/** Checks rules between settings, in a configuration whose individual settings are valid. */
export function checkCombinations({ database, api, locales, metrics }: Config, report: Report) {
  if (!database.replicas.every(isPostgresUrl)) {
    report('database.replicas', 'must be a list of postgres://… URLs')
  } else if (database.replicas.length > 0 && !isPostgresUrl(database.url)) {
    report('database.replicas', 'requires a PostgreSQL database in database.url')
  }
  if (api.rest.defaultLimit > api.rest.maxLimit) {
    report('api.rest.defaultLimit', `must not exceed api.rest.maxLimit (${api.rest.maxLimit})`)
  }
  if (metrics.token !== null && metrics.token.length < MIN_TOKEN_LENGTH) {
    report('metrics.token', `must have at least ${MIN_TOKEN_LENGTH} characters`)
  }
  if (!locales.locales.includes(locales.default)) {
    report('locales.default', `must be one of the locales: ${locales.locales.join(', ')}`)
  }
}

/** Merges a configuration over another one: sections are merged, every other setting is replaced. */
export function mergeConfig<T>(base: T, over: unknown, setting?: Setting<unknown>): T
export function mergeConfig(
  base: unknown,
  over: unknown,
  setting: Setting<unknown> = configSetting,
): unknown {
  if (over === undefined) return base
  if (!setting.children || !isObject(base) || !isObject(over)) return over
  const merged: Record<string, unknown> = { ...base, ...(setting.isOpen && over) }
  for (const [key, inner] of Object.entries(setting.children)) {
    if (Object.hasOwn(over, key)) merged[key] = mergeConfig(base[key], over[key], inner)
  }
  return merged
}

/** All settings that are not sections, with their dotted paths. */
export function scalarSettings(
  setting: Setting<unknown> = configSetting,
  path = '',
): [path: string, setting: Setting<unknown>][] {
  if (!setting.children) return [[path, setting]]
  return Object.entries(setting.children).flatMap(([key, inner]) =>
    scalarSettings(inner, path === '' ? key : `${path}.${key}`),
  )
}
