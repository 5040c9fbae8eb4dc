/** All settings of the configuration. The compiler checks that this list matches `Config`. */
import { admin, auth, permissions, rateLimit, token } from './access-settings.ts'
import { origins, proxies, smtpUrl, webUrl } from './addresses.ts'
import { changesSettings } from './changes-settings.ts'
import type { Config, LimitByRole, UploadConfig } from './config.ts'
import { databaseUrlProblem, isPostgresUrl, urlsOfHosts } from './database-url.ts'
import { days, milliseconds, seconds, secondsOrNone } from './durations.ts'
import {
  anyObject,
  boolean,
  integerBetween,
  literalOr,
  nonNegativeInteger,
  nullable,
  numberOr,
  oneOf,
  openSection,
  pathOutside,
  positiveInteger,
  type Report,
  record,
  type Setting,
  scalar,
  section,
  size,
  string,
  strings,
} from './setting.ts'

export const MAX_WORKERS = 256

const LOCALE = /^[A-Za-z0-9]+([-_@.][A-Za-z0-9]+)*$/

const locales = section<Config['locales']>(
  { default: string, locales: strings, names: record(string, 'names by locale code') },
  (value, path, report) => {
    const codes: readonly unknown[] = Array.isArray(value.locales) ? value.locales : []
    if (value.locales !== undefined && codes.length === 0)
      report(`${path}.locales`, 'must have at least one locale')
    for (const [index, code] of codes.entries()) {
      if (typeof code === 'string' && !LOCALE.test(code)) {
        report(`${path}.locales`, `"${code}" is not a locale code such as en or pt-BR`)
      }
      if (codes.indexOf(code) !== index) report(`${path}.locales`, `"${code}" is listed more than once`)
    }
  },
)

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

/** Any other character would make every response fail. */
const headerValue: Setting<string> = scalar(
  'must consist of printable ASCII characters',
  (value) => typeof value === 'string' && /^[\x20-\x7e]*$/.test(value),
  (variable) => variable,
)

const database = section<Config['database']>({
  url: databaseUrl,
  poolSize: positiveInteger,
  slowReads: nullable(positiveInteger),
  maxWaiting: positiveInteger,
  waitSeconds: seconds,
  statementSeconds: secondsOrNone,
  replicas: strings,
  replicaMaxLag: seconds,
  prepare: boolean,
  directUrl: nullable(databaseUrl),
  schema: nullable(string),
  autoIndex: oneOf('suggest', 'create', 'off'),
  maxAutoIndexes: positiveInteger,
  autoIndexDays: days,
})

/** The whole configuration. */
export const configSetting: Setting<Config> = section<Config>({
  server: section<Config['server']>({
    host: string,
    port: integerBetween(0, 65_535),
    url: nullable(webUrl),
    trustedProxies: proxies,
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
    control: headerValue,
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
  email: section<Config['email']>({ from: string, smtp: nullable(smtpUrl) }),
  rateLimit,
  cors: section<Config['cors']>({ origins: literalOr('*', origins), credentials: boolean }),
  roles: record(permissions, 'role names'),
  tokens: record(token, 'token names'),
  upload,
  ...changesSettings,
  docs: section<Config['docs']>({ enabled: boolean }),
  mcp: section<Config['mcp']>({
    enabled: boolean,
    path: pathOutside(['/api'], '/mcp'),
    readOnly: boolean,
    bodyLimit: positiveInteger,
  }),
  metrics: section<Config['metrics']>({ enabled: boolean, token: nullable(string) }),
  log: section<Config['log']>({ requests: boolean, slowQueryMs: nonNegativeInteger }),
  telemetry: section<Config['telemetry']>({ enabled: boolean }),
  extend: anyObject,
})

const MIN_TOKEN_LENGTH = 32

/** The length that PostgreSQL allows. */
const SCHEMA_NAME = /^[^\0]{1,63}$/

const namesOnePostgres = (url: string) =>
  isPostgresUrl(url) && databaseUrlProblem(url) === null && urlsOfHosts(url).length === 1

/** Checks rules between settings, in a configuration whose individual settings are valid. */
export function checkCombinations({ database, api, locales, metrics }: Config, report: Report) {
  if (!database.replicas.every(namesOnePostgres)) {
    report('database.replicas', 'must be a list of postgres://… URLs, each with one host')
  } else if (database.replicas.length > 0 && !isPostgresUrl(database.url)) {
    report('database.replicas', 'requires a PostgreSQL database in database.url')
  }
  if (database.directUrl !== null && !(isPostgresUrl(database.directUrl) && isPostgresUrl(database.url))) {
    report('database.directUrl', 'must be a postgres://… URL of the database in database.url')
  }
  if (database.schema !== null && !SCHEMA_NAME.test(database.schema)) {
    report('database.schema', 'must have 1 to 63 characters')
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
  for (const code of Object.keys(locales.names))
    if (!locales.locales.includes(code))
      report(`locales.names.${code}`, `"${code}" is not one of the locales: ${locales.locales.join(', ')}`)
}
