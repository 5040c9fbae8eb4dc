/** The shape of a project's configuration. `read-project.ts` reads it from the project folder. */

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

export interface UploadConfig {
  /** Folder for stored files and for uploads in progress, relative to the project folder. */
  readonly directory: string
  /** Maximum size of a file in bytes, and maximum number of files in a request. */
  readonly maxFileSize: number
  readonly maxFiles: number
  /** Maximum concurrent uploads per process; beyond it, uploads fail with 503. */
  readonly maxAtOnce: number
  readonly images: {
    /** Maximum image size in pixels. */
    readonly maxPixels: number
    /** Whether images are recompressed if that makes them smaller: PNG losslessly, others at `quality`. */
    readonly optimize: boolean
    readonly quality: number
    /** Whether images are rotated according to their EXIF orientation. */
    readonly autoOrient: boolean
    /** Whether location, camera and other metadata is removed. */
    readonly stripMetadata: boolean
    /** Derived formats by name: the box they fit into, `[width, height]`. */
    readonly formats: Readonly<Record<string, readonly [number, number]>>
    /** Whether a tiny preview is stored in `provider_metadata`. */
    readonly placeholder: boolean
    /** Images processed concurrently; default: half of the cores. */
    readonly concurrency?: number
  }
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
  /** Front-end page that asks for a new password; a `code` parameter is added. Null: `server.url`. */
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

interface CorsConfig {
  /** Origins whose pages may read responses; `*` for any. */
  readonly origins: readonly string[] | '*'
  /** Whether browsers may send credentials; requires a list of origins. */
  readonly credentials: boolean
}

/** A webhook that the project defines. */
export interface WebhookConfig {
  readonly url: string
  /** Names of events; all when absent. */
  readonly events?: readonly string[]
  /** Content-types, by uid or by their name in routes; all when absent. */
  readonly types?: readonly string[]
  /** Only documents that these filters cover. */
  readonly filters?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly enabled?: boolean
  /** The secret that signs deliveries (`whsec_…`), or the environment variable that holds it. */
  readonly secret?: string
  readonly env?: string
}

export interface WebhooksConfig {
  /** Whether events are delivered to webhooks. */
  readonly enabled: boolean
  /** Host names, IP addresses and networks that deliveries may be sent to although they are not public. */
  readonly allow: readonly string[]
  /** How long a receiver may take to respond. */
  readonly timeoutSeconds: number
  /** Maximum deliveries per second and process. */
  readonly maxPerSecond: number
  /** How long deliveries are kept, and the maximum number of them. */
  readonly keepDays: number
  readonly maxDeliveries: number
  /** By name. */
  readonly endpoints: Readonly<Record<string, WebhookConfig>>
}

/** One limit for all callers, or limits by role; `others` is for tokens and for the roles that are not named. */
export type LimitByRole = number | Readonly<Record<string, number>>

export interface Config {
  readonly server: {
    readonly host: string
    readonly port: number
    /** Public address of the server, used for links in mails. */
    readonly url: string | null
    /** Addresses of proxies whose X-Forwarded-* headers are trusted. */
    readonly trustedProxies: readonly string[]
    /** Maximum size of a JSON body in bytes. */
    readonly bodyLimit: number
    /** Number of worker processes; `auto`: one per core. */
    readonly workers: number | 'auto'
    /** Maximum connections and requests in progress per process; beyond the latter, requests fail with 503. */
    readonly maxConnections: number
    readonly maxOpenRequests: number
    /** The same for each client address; beyond the latter, requests fail with 429. */
    readonly maxConnectionsPerAddress: number
    readonly maxOpenRequestsPerAddress: number
    /** Time limits for receiving the headers of a request, its body except for uploads, and the whole request. */
    readonly headersSeconds: number
    readonly bodySeconds: number
    readonly requestSeconds: number
    /** How long a shutdown waits for requests in progress. */
    readonly graceSeconds: number
    /** How long a worker may be unresponsive before it is killed and replaced; 0: no limit. */
    readonly stuckSeconds: number
  }
  readonly database: {
    readonly url: string
    readonly poolSize: number
    /** Maximum statements (PostgreSQL) or writes (SQLite) waiting in one process; beyond it, requests fail with 503. */
    readonly maxWaiting: number
    /** Time limit for waiting for a connection, or for the write lock. */
    readonly waitSeconds: number
    /** Time limit for one statement; 0: no limit. */
    readonly statementSeconds: number
    /** URLs of PostgreSQL streaming replicas, which reads are distributed over. */
    readonly replicas: readonly string[]
    /** Maximum lag of a replica in seconds; beyond it, the replica is not used. */
    readonly replicaMaxLag: number
  }
  readonly api: {
    readonly rest: {
      readonly defaultLimit: number
      readonly maxLimit: number
      readonly compat: 'none' | 'strapi'
      /** Whether an unknown query parameter is rejected instead of ignored. */
      readonly strictParams: boolean
      /** Limits on one query; beyond them, it fails with 400. */
      readonly bounds: {
        readonly depth: number
        readonly keys: number
        readonly listLength: number
        readonly planSize: number
      }
    }
  }
  readonly cache: {
    /** Whether responses are cached until their content changes. */
    readonly enabled: boolean
    /** Whether the number of matching documents is cached until the content changes. */
    readonly counts: boolean
    /** Maximum memory for cached responses in bytes. */
    readonly maxBytes: number
    /** The `Cache-Control` header of responses. */
    readonly control: string
  }
  readonly limits: {
    /** Maximum duration of a read in milliseconds; beyond it, the read is stopped and fails with 503. */
    readonly readMs: LimitByRole
    /** Maximum size of the documents in a response in bytes; beyond it, the request fails with 400. */
    readonly responseBytes: LimitByRole
    /** Maximum number of documents and component entries in one response, as estimated before it is read. */
    readonly readRows: number
  }
  readonly locales: { readonly default: string; readonly locales: readonly string[] }
  readonly schema: {
    /**
     * Whether content-types can be changed over HTTP in production. The server then starts with the schema stored in the
     * database, and reads the schema files only at the first start and for `octavo migrate`.
     */
    readonly editable: boolean
  }
  readonly auth: AuthConfig
  readonly admin: AdminConfig
  readonly email: EmailConfig
  readonly rateLimit: RateLimitConfig
  readonly cors: CorsConfig
  readonly roles: RolesConfig
  readonly tokens: Readonly<Record<string, TokenConfig>>
  /** May also have the section of a storage provider, such as `s3`, which only that provider knows (`media/storage`). */
  readonly upload: UploadConfig & { readonly [provider: string]: unknown }
  readonly events: {
    /** Whether every change of content is recorded as an event, for the live feed. */
    readonly enabled: boolean
    /** How long events are kept, and the maximum number of them. */
    readonly keepDays: number
    readonly maxEvents: number
    /** Maximum open streams of the live feed per process, and per address. */
    readonly maxStreams: number
    readonly maxStreamsPerAddress: number
    /** Maximum bytes that wait to be read by one client; beyond it, its stream ends. */
    readonly maxWaitingBytes: number
    /** How often an idle stream sends something, so that proxies keep it open. */
    readonly heartbeatSeconds: number
  }
  readonly docs: {
    /** Whether the API reference is served at `/docs`. The OpenAPI document is served either way. */
    readonly enabled: boolean
  }
  readonly schedules: {
    /** Whether documents can be published and unpublished at a time. */
    readonly enabled: boolean
  }
  readonly releases: {
    /** Whether documents can be published together, as a release. */
    readonly enabled: boolean
    /** How long published releases are kept, and the maximum number of them. */
    readonly keepDays: number
    readonly maxReleases: number
  }
  readonly notices: {
    /** How long notices to the team are kept, and the maximum number of them. */
    readonly keepDays: number
    readonly maxNotices: number
  }
  readonly history: {
    /** Whether the saved states of documents are kept, for content-types with `options.history`. */
    readonly enabled: boolean
    /** How long a state is kept after it was replaced, and how many of a document in a locale are kept. */
    readonly keepDays: number
    readonly maxVersions: number
  }
  readonly mcp: {
    /** Whether agents can use the content over HTTP, with the Model Context Protocol. */
    readonly enabled: boolean
    readonly path: string
    /** Whether only tools that read are offered. */
    readonly readOnly: boolean
    /** Maximum size of a request in bytes, including files that are uploaded. */
    readonly bodyLimit: number
  }
  readonly webhooks: WebhooksConfig
  readonly audit: {
    /** Whether everything that people do is recorded in the audit log. */
    readonly enabled: boolean
    /** How long records are kept, and the maximum number of them. */
    readonly keepDays: number
    readonly maxRecords: number
  }
  readonly metrics: {
    /** Whether metrics are collected and served at `/metrics`. */
    readonly enabled: boolean
    /** A credential for `/metrics` only; admins can always read it. */
    readonly token: string | null
  }
  readonly log: {
    /** Whether every request is logged. */
    readonly requests: boolean
    /** Duration in milliseconds from which reads and writes are logged as slow; 0: never. */
    readonly slowQueryMs: number
  }
  readonly telemetry: {
    /** Whether requests are traced with the OpenTelemetry that the project has installed. */
    readonly enabled: boolean
  }
  /** Hooks, policies and routes of the project; `http` defines their types. */
  readonly extend: Readonly<Record<string, unknown>>
}

/** A partial configuration, as a project writes it. */
export type ConfigInput<T = Config> = unknown extends T
  ? T
  : T extends string | number | boolean | null | readonly unknown[]
    ? T
    : { readonly [K in keyof T]?: ConfigInput<T[K]> | undefined }
