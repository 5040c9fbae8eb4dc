/** The shape of a project's configuration. `load.ts` reads it from the project folder. */

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

export interface UploadConfig {
  /** Folder for stored files and for uploads in progress, relative to the project folder. */
  readonly directory: string
  /** Largest file in bytes, and most files in one request. */
  readonly maxFileSize: number
  readonly maxFiles: number
  /** Uploads that one process receives at a time; past it the answer is 503. */
  readonly maxAtOnce: number
  readonly images: {
    /** Largest picture in pixels. */
    readonly maxPixels: number
    /** Whether pictures are stored smaller where that is possible: PNG without loss, others at `quality`. */
    readonly optimize: boolean
    readonly quality: number
    /** Whether a photo taken sideways is stored upright. */
    readonly autoOrient: boolean
    /** Whether place, camera and other metadata is removed from pictures. */
    readonly stripMetadata: boolean
    /** Derived formats by name: the box they fit into, `[width, height]`. */
    readonly formats: Readonly<Record<string, readonly [number, number]>>
    /** Whether a tiny preview goes into `provider_metadata`. */
    readonly placeholder: boolean
    /** How many pictures are worked on at a time; absent: half of the processors. */
    readonly concurrency?: number
  }
}

/** How people sign in and how long what they get lasts. */
export interface AuthConfig {
  /**
   * `long-lived`: signing in answers with one token that lasts `longLivedDays`. `refresh`: with an access token
   * of `accessMinutes` and a refresh token that is replaced at each use and lasts `refreshDays`.
   */
  readonly sessions: 'long-lived' | 'refresh'
  /** Signs the tokens of users. Required in production; in development one is made and kept in `.octavo`. */
  readonly secret: string | null
  readonly longLivedDays: number
  readonly accessMinutes: number
  readonly refreshDays: number
  /** How long a code sent by e-mail can be used. */
  readonly codeMinutes: number
  readonly passwordMinLength: number
  readonly registration: {
    readonly enabled: boolean
    /** Type of the role a new user gets. */
    readonly role: string
    /** Attributes beside user name, e-mail and password that a new user may set. */
    readonly fields: readonly string[]
  }
  /** Whether an address must be confirmed before its user can sign in. */
  readonly confirmEmail: boolean
  /** Page of the front-end that asks for a new password; its `code` parameter is added. Null: `server.url`. */
  readonly resetPasswordUrl: string | null
  /** Page of the front-end shown after an address was confirmed. Null: a plain answer. */
  readonly confirmedUrl: string | null
}

export interface EmailConfig {
  readonly from: string
  /** `smtp://user:password@host:587` or `smtps://…`; null writes mails to `.octavo/mail` (development only). */
  readonly smtp: string | null
}

export interface RateLimitConfig {
  /** Failed sign-ins (and codes asked for) in a window: for one identifier from one address, and for one address. */
  readonly signIn: {
    readonly windowSeconds: number
    readonly perIdentifier: number
    readonly perAddress: number
  }
  /** Requests of one principal (or one address, for callers without credential) in a window; null: no limit. */
  readonly general: { readonly windowSeconds: number; readonly requests: number } | null
}

interface CorsConfig {
  /** Origins whose pages may read answers; `*` for any. */
  readonly origins: readonly string[] | '*'
  /** Whether browsers may send cookies and the like along; only with listed origins. */
  readonly credentials: boolean
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
    /** Processes that serve; `auto`: one for each core. */
    readonly workers: number | 'auto'
    /** Connections and unanswered requests that one process has at a time; past the latter the answer is 503. */
    readonly maxConnections: number
    readonly maxOpenRequests: number
    /** Longest time that the headers of a request, and the whole of it, may take to arrive. */
    readonly headersSeconds: number
    readonly requestSeconds: number
    /** Longest time that requests under way are given when the server stops. */
    readonly graceSeconds: number
    /** How long a worker may give no sign of life before it is killed and replaced; 0: for ever. */
    readonly stuckSeconds: number
  }
  readonly database: {
    readonly url: string
    readonly poolSize: number
    /** Statements (PostgreSQL) and writes (SQLite) of one process that may wait; past it the answer is 503. */
    readonly maxWaiting: number
    /** Longest time that something waits for a connection, or for its turn to write. */
    readonly waitSeconds: number
    /** Longest time that one statement runs on PostgreSQL; 0 for no bound. */
    readonly statementSeconds: number
    /** Urls of streaming replicas of a PostgreSQL database, which reads are spread over. */
    readonly replicas: readonly string[]
    /** Seconds that a replica may be behind before it is left out. */
    readonly replicaMaxLag: number
  }
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
  readonly cache: {
    /** Whether answers are kept in memory while the tables behind them stand. */
    readonly enabled: boolean
    /** Whether the number of documents that match is remembered while the tables behind it stand. */
    readonly counts: boolean
    /** Most bytes of kept answers. */
    readonly maxBytes: number
    /** The `Cache-Control` header of answers. */
    readonly control: string
  }
  readonly locales: { readonly default: string; readonly locales: readonly string[] }
  readonly schema: {
    /**
     * Whether content-types may be changed over HTTP in production too. The database is then the truth at start, and the
     * schema files count at the first start and for `octavo migrate` only. In development they may always be changed.
     */
    readonly editable: boolean
  }
  readonly auth: AuthConfig
  readonly email: EmailConfig
  readonly rateLimit: RateLimitConfig
  readonly cors: CorsConfig
  readonly roles: RolesConfig
  readonly tokens: Readonly<Record<string, TokenConfig>>
  /** May also have the section of a storage provider, such as `s3`, which only that provider knows (`media/storage`). */
  readonly upload: UploadConfig & { readonly [provider: string]: unknown }
  readonly metrics: {
    /** Whether figures are kept and shown at `/metrics`. */
    readonly enabled: boolean
    /** A credential good for `/metrics` alone; without one, admins may read it. */
    readonly token: string | null
  }
  readonly log: {
    /** Whether each request gets a line. */
    readonly requests: boolean
    /** Milliseconds from which a read is told in the log with its statement and plan, and a write; 0 tells of none. */
    readonly slowQueryMs: number
  }
  readonly telemetry: {
    /** Whether spans go to the OpenTelemetry that the project has installed. */
    readonly enabled: boolean
  }
  /** Hooks, policies and routes in the project's own code; what they are is known to `http`. */
  readonly extend: Readonly<Record<string, unknown>>
}

/** What a project may write: any part of the configuration. */
export type ConfigInput<T = Config> = unknown extends T
  ? T
  : T extends string | number | boolean | null | readonly unknown[]
    ? T
    : { readonly [K in keyof T]?: ConfigInput<T[K]> | undefined }
