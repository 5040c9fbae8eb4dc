/** The settings of who may do what. */
import type { AdminConfig, AuthConfig, Permission, RateLimitConfig, TokenConfig } from './access-config.ts'
import { webUrl } from './addresses.ts'
import { days, minutes, seconds } from './durations.ts'
import {
  anyObject,
  boolean,
  integerBetween,
  list,
  nullable,
  oneOf,
  pathOutside,
  positiveInteger,
  record,
  required,
  type Setting,
  section,
  string,
  stringOr,
  strings,
} from './setting.ts'

const permission: Setting<Permission> = stringOr(
  section<Exclude<Permission, string>>(
    { action: string, filters: anyObject, fields: strings },
    required('action'),
  ),
)

export const permissions = record(list(permission, 'actions such as "find"'), 'content-type uids')

export const token = section<TokenConfig>(
  { type: oneOf('read-only', 'full-access', 'custom'), token: string, env: string, permissions },
  (value, path, report) => {
    required('type')(value, path, report)
    if ((value.token === undefined) === (value.env === undefined))
      report(path, 'must have either token or env')
  },
)

/** Passwords may be longer, but a policy that requires it would lock everyone out. */
const MAX_PASSWORD_MIN_LENGTH = 72

/** In KiB: the least that argon2 accepts, and 4 GiB. */
const MIN_ARGON2_MEMORY = 8
const MAX_ARGON2_MEMORY = 4_194_304

export const auth = section<AuthConfig>({
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
  resetPasswordUrl: nullable(webUrl),
  confirmedUrl: nullable(string),
})

export const admin = section<AdminConfig>({
  enabled: boolean,
  path: pathOutside(['/api', '/docs', '/healthz', '/metrics', '/uploads'], '/admin'),
  roles: strings,
  idleMinutes: minutes,
  sessionHours: integerBetween(1, 87_600),
  invitationDays: days,
})

export const rateLimit = section<RateLimitConfig>({
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
