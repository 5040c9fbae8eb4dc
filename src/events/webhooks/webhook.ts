/** A webhook: a URL, and which events it receives. */
import { isObject } from '../../project/values.ts'
import type { Row } from '../../store/statement.ts'
import type { StoredEvent } from '../event.ts'

/** What the people of a project decide. */
export interface WebhookSettings {
  readonly name: string
  readonly url: string
  /** Names of events; null for all. */
  readonly events: readonly string[] | null
  /** uids of content-types; null for all. */
  readonly types: readonly string[] | null
  /** In the language of the `filters` parameter; null for every document. */
  readonly filters: Readonly<Record<string, unknown>> | null
  /** Sent with every delivery. */
  readonly headers: Readonly<Record<string, string>>
  readonly enabled: boolean
}

/** The secrets that sign a delivery, the current one first. */
export type SigningSecrets = readonly string[]

export interface Webhook extends WebhookSettings {
  readonly id: number
  /** Where it is defined: in the configuration, or over HTTP or the command line. */
  readonly source: 'config' | 'made'
  /** The time of the first failure since the last success; null if the last attempt has succeeded. */
  readonly failingSince: string | null
  /** Why and when the server has turned it off; null if it has not. */
  readonly disabledReason: string | null
  readonly disabledAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A webhook as the server uses it. Never sent to anyone. */
export interface StoredWebhook extends Webhook {
  readonly secret: string
  readonly previousSecret: string | null
  /** Until when the previous secret also signs. */
  readonly previousUntil: string | null
  /** The last event that it has deliveries for. */
  readonly position: number
}

const textOrNull = (value: Row[string] | undefined) =>
  value === null || value === undefined ? null : String(value)

const jsonOf = (value: Row[string] | undefined): unknown =>
  value === null || value === undefined ? null : JSON.parse(String(value))

const listOf = (value: Row[string] | undefined): readonly string[] | null => {
  const list = jsonOf(value)
  return Array.isArray(list) ? list.map(String) : null
}

const objectOf = (value: Row[string] | undefined) => {
  const object = jsonOf(value)
  return isObject(object) ? object : null
}

export const webhookOf = (row: Row): StoredWebhook => ({
  id: Number(row.id),
  name: String(row.name),
  url: String(row.url),
  events: listOf(row.events),
  types: listOf(row.types),
  filters: objectOf(row.filters),
  headers: Object.fromEntries(
    Object.entries(objectOf(row.headers) ?? {}).map(([name, value]) => [name, String(value)]),
  ),
  enabled: Number(row.enabled) === 1,
  source: row.source === 'config' ? 'config' : 'made',
  failingSince: textOrNull(row.failing_since),
  disabledReason: textOrNull(row.disabled_reason),
  disabledAt: textOrNull(row.disabled_at),
  createdAt: String(row.created_at),
  updatedAt: String(row.updated_at),
  secret: String(row.secret),
  previousSecret: textOrNull(row.previous_secret),
  previousUntil: textOrNull(row.previous_until),
  position: Number(row.position),
})

/** Without its secrets. */
export const publicWebhook = ({
  secret: _,
  previousSecret: __,
  previousUntil: ___,
  position: ____,
  ...webhook
}: StoredWebhook): Webhook => webhook

/** The secrets that sign at a time: both of them for a while after a rotation. */
export const secretsAt = (
  { secret, previousSecret, previousUntil }: StoredWebhook,
  now: string,
): SigningSecrets =>
  previousSecret !== null && previousUntil !== null && previousUntil > now
    ? [secret, previousSecret]
    : [secret]

/** Whether a webhook receives events of this name and content-type; its filters are checked apart. */
export const receives = (
  { events, types }: Pick<WebhookSettings, 'events' | 'types'>,
  { event, type }: Pick<StoredEvent, 'event' | 'type'>,
): boolean => (events?.includes(event) ?? true) && (types?.includes(type) ?? true)
