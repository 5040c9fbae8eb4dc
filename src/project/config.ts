/** The configuration of a project: its shape and its defaults. `load.ts` reads it from the project folder. */

/** What a role may do with a content-type: plain actions, or an action narrowed to some documents or fields. */
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

export interface Config {
  readonly server: {
    readonly host: string
    readonly port: number
    /** Public address of the server, used in links of e-mails. */
    readonly url: string | null
    /** Addresses of proxies whose X-Forwarded-* headers count. */
    readonly trustedProxies: readonly string[]
    /** Largest JSON body in bytes. */
    readonly bodyLimit: number
  }
  readonly database: { readonly url: string; readonly poolSize: number }
  readonly api: {
    readonly rest: {
      readonly defaultLimit: number
      readonly maxLimit: number
      readonly compat: 'none' | 'strapi'
      /** Whether an unknown top-level parameter is refused instead of ignored. */
      readonly strictParams: boolean
      /** Bounds on one query; past them the answer is 400. */
      readonly bounds: {
        readonly depth: number
        readonly keys: number
        readonly listLength: number
        readonly planSize: number
      }
    }
  }
  readonly locales: { readonly default: string; readonly locales: readonly string[] }
  readonly roles: RolesConfig
  readonly tokens: Readonly<Record<string, TokenConfig>>
}

export const defaults: Config = {
  server: { host: '127.0.0.1', port: 1337, url: null, trustedProxies: [], bodyLimit: 1_048_576 },
  database: { url: 'sqlite:.octavo/data.db', poolSize: 10 },
  api: {
    rest: {
      defaultLimit: 25,
      maxLimit: 100,
      compat: 'none',
      strictParams: false,
      bounds: { depth: 40, keys: 2000, listLength: 1000, planSize: 500 },
    },
  },
  locales: { default: 'en', locales: ['en'] },
  roles: {},
  tokens: {},
}
