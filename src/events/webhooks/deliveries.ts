/** Stores deliveries, finds those that are due, and records attempts. */
import { compile } from '../../store/compile.ts'
import type { Dialect } from '../../store/dialect.ts'
import { sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { StoredEvent } from '../event.ts'
import type { Outcome } from './sending/send.ts'
import { newMessageId } from './sending/signature.ts'
import { attempts, deliveries, messages, webhooks } from './tables.ts'

/** The message about an event. */
export interface NewMessage {
  readonly event: StoredEvent
  /** Null if the message is stored already. */
  readonly body: string | null
}

/** A delivery to send. */
export interface DueDelivery {
  readonly id: number
  readonly messageId: string
  readonly event: string
  readonly body: string
  /** How often it was sent before. */
  readonly attempts: number
}

/** The ids of the stored messages by the number of their event. */
export async function readStoredMessages(
  store: Store,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await store.read(compile(store.dialect, messagesAbout(store.dialect, events)))
  return idsBySeq(rows)
}

const messagesAbout = (dialect: Dialect, events: readonly Pick<StoredEvent, 'seq'>[]) => {
  const seqs = sql`${JSON.stringify(events.map(({ seq }) => seq))}`
  return sql`select id, seq from ${messages} where ${dialect.inIntegers(sql.id('seq'), seqs)}`
}

const idsBySeq = (rows: readonly Row[]) => new Map(rows.map((row) => [Number(row.seq), Number(row.id)]))

/**
 * Stores deliveries of messages to a webhook, a few at a time, and the messages that are not stored yet. What is stored
 * already is left as it is, so that no event is delivered twice to a webhook.
 */
export async function storeDeliveries(
  transaction: Transaction,
  webhookId: number,
  sent: readonly NewMessage[],
): Promise<void> {
  if (sent.length === 0) return
  const { dialect } = transaction
  const now = new Date().toISOString()
  const added = sent.flatMap(({ event: { seq, event, type, documentId, locale }, body }) =>
    body === null
      ? []
      : [sql`(${newMessageId()}, ${seq}, ${event}, ${type}, ${documentId}, ${locale}, ${body}, ${now})`],
  )
  if (added.length > 0)
    transaction.run(
      compile(
        dialect,
        sql`insert into ${messages} (message_id, seq, event, type, document_id, locale, body, created_at)
          values ${sql.join(added)} on conflict (seq) do nothing`,
      ),
    )
  const about = sent.map(({ event }) => event)
  const ids = idsBySeq(await transaction.all(compile(dialect, messagesAbout(dialect, about))))
  const values = about.flatMap(({ seq, type, documentId }) => {
    const message = ids.get(seq)
    return message === undefined
      ? []
      : [sql`(${webhookId}, ${message}, ${`${type} ${documentId}`}, ${0}, ${now}, ${now})`]
  })
  if (values.length < sent.length) throw new Error('A message was deleted while it was used')
  transaction.run(
    compile(
      dialect,
      sql`insert into ${deliveries} (webhook_id, message, document_id, attempts, due_at, created_at)
        values ${sql.join(values)} on conflict (message, webhook_id) do nothing`,
    ),
  )
}

/** Stores a message for one webhook that comes from no event, and returns its delivery, which only the caller sends. */
export async function storeSample(
  store: Store,
  webhookId: number,
  event: string,
  body: string,
): Promise<DueDelivery> {
  const now = new Date().toISOString()
  const messageId = newMessageId()
  return store.write(async (transaction) => {
    const message = sql`insert into ${messages} (message_id, event, body, created_at)
      values (${messageId}, ${event}, ${body}, ${now}) returning id`
    const [{ id = 0 } = {}] = await transaction.all(compile(store.dialect, message))
    const delivery = sql`insert into ${deliveries}
        (webhook_id, message, document_id, attempts, due_at, ended_at, succeeded, created_at)
      values (${webhookId}, ${Number(id)}, '', ${0}, ${now}, ${now}, 0, ${now}) returning id`
    const [row] = await transaction.all(compile(store.dialect, delivery))
    return { id: Number(row?.id), messageId, event, body, attempts: 0 }
  })
}

/** The first waiting delivery of each document: later ones wait for it, so that a document's events arrive in order. */
const isFirst = sql`d.ended_at is null and not exists (select 1 from ${deliveries} as e
  where e.webhook_id = d.webhook_id and e.document_id = d.document_id and e.ended_at is null and e.id < d.id)`

/** Up to `limit` deliveries that may be sent now, those that are due longest first. */
export async function readDue(
  store: Store,
  webhookId: number,
  now: string,
  limit: number,
): Promise<DueDelivery[]> {
  const rows = await store.read(
    compile(
      store.dialect,
      sql`select d.id, d.attempts, m.message_id, m.event, m.body from ${deliveries} as d
        join ${messages} as m on m.id = d.message
        where d.webhook_id = ${webhookId} and d.due_at <= ${now} and ${isFirst}
        order by d.due_at, d.id limit ${limit}`,
    ),
  )
  return rows.map(dueOf)
}

const dueOf = (row: Row): DueDelivery => ({
  id: Number(row.id),
  messageId: String(row.message_id),
  event: String(row.event),
  body: String(row.body),
  attempts: Number(row.attempts),
})

/** When the next delivery of a webhook may be sent; null if none is waiting. */
export async function nextDueIn(transaction: Transaction, webhookId: number): Promise<string | null> {
  const [row] = await transaction.all(
    compile(
      transaction.dialect,
      sql`select min(d.due_at) as due from ${deliveries} as d where d.webhook_id = ${webhookId} and ${isFirst}`,
    ),
  )
  return row?.due == null ? null : String(row.due)
}

/** An attempt to record: what happened, and when the delivery is tried again; null if it has ended. */
export interface Attempt {
  readonly webhookId: number
  readonly deliveryId: number
  readonly outcome: Outcome
  readonly nextAt: string | null
}

/** Records an attempt, and whether the webhook is failing. */
export function recordAttempt(
  transaction: Transaction,
  { webhookId, deliveryId, outcome, nextAt }: Attempt,
): void {
  const { at, status, durationMs, response, error } = outcome
  const isSuccess = error === null
  const ended = nextAt === null ? new Date().toISOString() : null
  const state = sql`ended_at = ${ended}, succeeded = ${ended === null ? null : isSuccess ? 1 : 0}`
  const statements = [
    sql`insert into ${attempts} (delivery_id, at, status, duration_ms, response, error)
      values (${deliveryId}, ${at}, ${status}, ${durationMs}, ${response}, ${error})`,
    sql`update ${deliveries} set attempts = attempts + 1, due_at = ${nextAt ?? at}, ${state}
      where id = ${deliveryId}`,
    isSuccess
      ? sql`update ${webhooks} set failing_since = null where id = ${webhookId} and failing_since is not null`
      : sql`update ${webhooks} set failing_since = ${at} where id = ${webhookId} and failing_since is null`,
  ]
  for (const statement of statements) transaction.run(compile(transaction.dialect, statement))
}

/** Whether a webhook has failed at every attempt since the first one of a delivery. */
export async function hasOnlyFailedSince(store: Store, { webhookId, deliveryId }: Attempt): Promise<boolean> {
  const rows = await store.read(
    compile(
      store.dialect,
      sql`select 1 as one from ${webhooks} where id = ${webhookId} and failing_since <= (
        select min(at) from ${attempts} where delivery_id = ${deliveryId})`,
    ),
  )
  return rows.length > 0
}
