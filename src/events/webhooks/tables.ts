/** The tables of webhooks: their settings, the messages to send, the deliveries of each, and every attempt. */
import { sql } from '../../store/sql.ts'
import type { OwnTables } from '../../store/tables/own-tables.ts'

export const WEBHOOKS = 'octavo_webhooks'

/** The kind of the jobs that send the deliveries of a webhook. */
export const DELIVER = 'webhooks.deliver'

export const webhooks = sql.table(WEBHOOKS)
export const configuredWebhooks = sql.table('octavo_configured_webhooks')
export const messages = sql.table('octavo_webhook_messages')
export const deliveries = sql.table('octavo_webhook_deliveries')
export const attempts = sql.table('octavo_webhook_attempts')

/**
 * `configuredWebhooks` has what the configuration said about `enabled` when it was applied last: people may have changed it
 * since. `position` is the last event that a webhook has deliveries for. A message is stored once for all webhooks that receive
 * it. A delivery without `ended_at` waits until `due_at`.
 */
export const webhookTables: OwnTables = (dialect) => {
  const id = sql.raw(dialect.generatedIdType)
  const flag = sql.raw(dialect.smallIntegerType)
  return [
    sql`create table if not exists ${webhooks} (id ${id}, name text not null, url text not null, events text,
      types text, filters text, headers text not null, enabled ${flag} not null, secret text not null,
      previous_secret text, previous_until text, source text not null, position bigint not null,
      failing_since text, disabled_reason text, disabled_at text, created_at text not null,
      updated_at text not null)`,
    sql`create unique index if not exists octavo_webhooks_name on ${webhooks} (name)`,
    sql`create table if not exists ${configuredWebhooks} (name text primary key, enabled ${flag} not null)`,
    sql`create table if not exists ${messages} (id ${id}, message_id text not null, seq bigint,
      event text not null, type text, document_id text, locale text, body text not null,
      created_at text not null)`,
    sql`create unique index if not exists octavo_webhook_messages_seq on ${messages} (seq)`,
    sql`create table if not exists ${deliveries} (id ${id}, webhook_id bigint not null, message bigint not null,
      document_id text not null, attempts integer not null, due_at text not null, ended_at text,
      succeeded ${flag}, created_at text not null)`,
    sql`create unique index if not exists octavo_webhook_deliveries_message
      on ${deliveries} (message, webhook_id)`,
    sql`create index if not exists octavo_webhook_deliveries_webhook on ${deliveries} (webhook_id, id)`,
    sql`create index if not exists octavo_webhook_deliveries_waiting
      on ${deliveries} (webhook_id, document_id, id) where ended_at is null`,
    sql`create index if not exists octavo_webhook_deliveries_due
      on ${deliveries} (webhook_id, due_at) where ended_at is null`,
    sql`create table if not exists ${attempts} (id ${id}, delivery_id bigint not null, at text not null,
      status integer, duration_ms integer not null, response text, error text)`,
    sql`create index if not exists octavo_webhook_attempts_delivery on ${attempts} (delivery_id, id)`,
  ]
}
