/** The configuration of what follows a change: events, webhooks, history, schedules, releases and the audit log. */

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

export interface ChangesConfig {
  readonly events: {
    /** Whether every change of content is recorded as an event, for the live feed. */
    readonly enabled: boolean
    /** How long events are kept, and the maximum number of them. */
    readonly keepDays: number
    readonly maxEvents: number
    /** Maximum open streams of the live feed per process, and per address. */
    readonly maxStreams: number
    readonly maxStreamsPerAddress: number
    /** Maximum bytes that wait to be read by one client; later events wait in the database. */
    readonly maxWaitingBytes: number
    /** How often an idle stream sends something, so that proxies keep it open. */
    readonly heartbeatSeconds: number
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
  readonly webhooks: WebhooksConfig
  readonly audit: {
    /** Whether everything that people do is recorded in the audit log. */
    readonly enabled: boolean
    /** How long records are kept, and the maximum number of them. */
    readonly keepDays: number
    readonly maxRecords: number
  }
}
