/** The configuration of who may do what: roles, tokens, users, the admin app, and limits against guessing. */

/** A permitted action on a content-type, optionally restricted to some documents or attributes. */
export type Permission =
  | string
  | {
      readonly action: string
      readonly filters?: Readonly<Record<string, unknown>>
      readonly fields?: readonly string[]
    }

/** By role name (`public`, `authenticated`, …), then by content-type uid. */
export type RolesConfig = Readonly<Record<string, Readonly<Record<string, readonly Permission[]>>>>

export interface TokenConfig {
  readonly type: 'read-only' | 'full-access' | 'custom'
  /** The token itself, or the environment variable that holds it. */
  readonly token?: string
  readonly env?: string
  readonly permissions?: Readonly<Record<string, readonly Permission[]>>
}

export interface AuthConfig {
  /**
   * `long-lived`: signing in returns one token, valid for `longLivedDays`. `refresh`: it returns an access token, valid
   * for `accessMinutes`, and a refresh token, valid for `refreshDays` and replaced at each use.
   */
  readonly sessions: 'long-lived' | 'refresh'
  /** Signs user tokens. Required in production; in development one is generated and stored in `.octavo`. */
  readonly secret: string | null
  readonly longLivedDays: number
  readonly accessMinutes: number
  readonly refreshDays: number
  /** Lifetime of a code sent by mail. */
  readonly codeMinutes: number
  /** Rules for new passwords; `refuseCommon` refuses those that are easy to guess. */
  readonly password: { readonly minLength: number; readonly refuseCommon: boolean }
  /** Memory to hash a password, in KiB. */
  readonly passwordMemory: number
  readonly registration: {
    readonly enabled: boolean
    /** Role of a new user. */
    readonly role: string
    /** Attributes other than user name, e-mail address and password that a new user may set. */
    readonly fields: readonly string[]
  }
  /** Whether users must confirm their e-mail address before they can sign in. */
  readonly confirmEmail: boolean
  /** Front-end page that asks for a new password; a `code` parameter is added. Null: a page of the server. */
  readonly resetPasswordUrl: string | null
  /** Front-end page to redirect to after an address is confirmed. Null: a JSON response. */
  readonly confirmedUrl: string | null
}

export interface AdminConfig {
  /** Whether the admin app is served and its sessions are accepted. The admin API works with tokens either way. */
  readonly enabled: boolean
  /** Path of the admin app; the admin API is below it at `/api`. */
  readonly path: string
  /** Roles whose users may sign in to the admin app, besides `admin`, `editor` and `author`. */
  readonly roles: readonly string[]
  /** When a session ends without use, and when it ends in any case. */
  readonly idleMinutes: number
  readonly sessionHours: number
  /** Lifetime of an invitation. */
  readonly invitationDays: number
}

export interface EmailConfig {
  readonly from: string
  /** `smtp://user:password@host:587` or `smtps://…`; null writes mail to `.octavo/mail` (development only). */
  readonly smtp: string | null
}

export interface RateLimitConfig {
  /** Failed sign-ins and requested codes in a window: per identifier and IP address, per IP address and per account. */
  readonly signIn: {
    readonly windowSeconds: number
    readonly perIdentifier: number
    readonly perAddress: number
    /** Per account, over all addresses, except from addresses where the account has signed in before. */
    readonly perAccount: number
  }
  /** Requests of one principal (or one IP address, without a credential) in a window; null: no limit. */
  readonly general: { readonly windowSeconds: number; readonly requests: number } | null
}

export interface CorsConfig {
  /** Origins whose pages may read responses; `*` for any. */
  readonly origins: readonly string[] | '*'
  /** Whether browsers may send credentials; requires a list of origins. */
  readonly credentials: boolean
}
