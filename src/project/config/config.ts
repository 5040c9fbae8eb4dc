/** The shape of a project's configuration. `read-project.ts` reads it from the project folder. */
import type {
  AdminConfig,
  AuthConfig,
  CorsConfig,
  EmailConfig,
  RateLimitConfig,
  RolesConfig,
  TokenConfig,
} from './access-config.ts'
import type { ChangesConfig } from './changes-config.ts'

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

/** One limit for all callers, or limits by role; `others` is for tokens and for the roles that are not named. */
export type LimitByRole = number | Readonly<Record<string, number>>

export interface Config extends ChangesConfig {
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
    /** Maximum slow reads at the same time in one process; null: a number that suits the pool and the machine. */
    readonly slowReads: number | null
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
    /** False behind a transaction pooler. */
    readonly prepare: boolean
    /** The URL of the same PostgreSQL database without the pooler. */
    readonly directUrl: string | null
    /** The PostgreSQL schema of all tables; null for the first one in the search path of the user. */
    readonly schema: string | null
    /** Whether the server suggests indexes that its reads need, creates them, or does not count reads. */
    readonly autoIndex: 'suggest' | 'create' | 'off'
    /** Maximum indexes per content-type that the server creates by itself. */
    readonly maxAutoIndexes: number
    /** After how many days without a read such an index is dropped. */
    readonly autoIndexDays: number
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
  readonly locales: {
    readonly default: string
    readonly locales: readonly string[]
    /** What people call a locale, by code. */
    readonly names: Readonly<Record<string, string>>
  }
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
  readonly docs: {
    /** Whether the API reference is served at `/docs`. The OpenAPI document is served either way. */
    readonly enabled: boolean
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
