/** Deliveries as people see them, and what they can do with them: send them again. */
import { errors } from '../../errors.ts'
import { enqueueUnlessRunning } from '../../jobs/enqueue.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { attempts, DELIVER, deliveries, messages, WEBHOOKS } from './tables.ts'

export const DELIVERY_STATUSES = ['waiting', 'succeeded', 'failed'] as const

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export interface ListedAttempt {
  readonly at: string
  readonly status: number | null
  readonly durationMs: number
  /** The beginning of the response. */
  readonly response: string | null
  readonly error: string | null
}

export interface ListedDelivery {
  readonly id: number
  readonly webhookId: number
  /** The header `webhook-id`. */
  readonly messageId: string
  /** Null for a test. */
  readonly seq: number | null
  readonly event: string
  readonly type: string | null
  readonly documentId: string | null
  readonly locale: string | null
  readonly status: DeliveryStatus
  /** When it is tried next; null if it has ended. */
  readonly nextAttemptAt: string | null
  readonly createdAt: string
  readonly attempts: readonly ListedAttempt[]
}

const STATES: Readonly<Record<DeliveryStatus, Sql>> = {
  waiting: sql`d.ended_at is null`,
  succeeded: sql`d.ended_at is not null and d.succeeded = 1`,
  failed: sql`d.ended_at is not null and d.succeeded = 0`,
}

export interface DeliveryPage {
  readonly start: number
  readonly limit: number
  readonly status: DeliveryStatus | null
}

/** Newest first, with the total number. */
export async function listDeliveries(
  store: Store,
  webhookId: number,
  { start, limit, status }: DeliveryPage,
): Promise<{ deliveries: readonly ListedDelivery[]; total: number }> {
  const { dialect } = store
  const where = sql`d.webhook_id = ${webhookId}${status === null ? sql`` : sql` and ${STATES[status]}`}`
  const [rows, counted] = await Promise.all([
    store.read(
      compile(dialect, sql`${select} where ${where} order by d.id desc limit ${limit} offset ${start}`),
    ),
    store.read(compile(dialect, sql`select count(*) as total from ${deliveries} as d where ${where}`)),
  ])
  return { deliveries: await withAttempts(store, rows), total: Number(counted[0]?.total ?? 0) }
}

/** Throws a 404 if there is none. */
export async function readDelivery(
  store: Store,
  id: number,
): Promise<ListedDelivery & { readonly body: string }> {
  const rows = await store.read(compile(store.dialect, sql`${select} where d.id = ${id}`))
  const [delivery] = await withAttempts(store, rows)
  if (!delivery) throw errors.notFound(`There is no delivery ${id}`)
  return { ...delivery, body: String(rows[0]?.body) }
}

const select = sql`select d.id, d.webhook_id, d.due_at, d.ended_at, d.succeeded, d.created_at, m.message_id,
  m.seq, m.event, m.type, m.document_id, m.locale, m.body from ${deliveries} as d
  join ${messages} as m on m.id = d.message`

async function withAttempts(store: Store, rows: readonly Row[]): Promise<ListedDelivery[]> {
  const { dialect } = store
  const ids = sql`${JSON.stringify(rows.map(({ id }) => Number(id)))}`
  const made = await store.read(
    compile(
      dialect,
      sql`select delivery_id, at, status, duration_ms, response, error from ${attempts}
        where ${dialect.inIntegers(sql.id('delivery_id'), ids)} order by id`,
    ),
  )
  return rows.map((row) => ({
    id: Number(row.id),
    webhookId: Number(row.webhook_id),
    messageId: String(row.message_id),
    seq: row.seq === null ? null : Number(row.seq),
    event: String(row.event),
    type: textOrNull(row.type),
    documentId: textOrNull(row.document_id),
    locale: textOrNull(row.locale),
    status: row.ended_at === null ? 'waiting' : Number(row.succeeded) === 1 ? 'succeeded' : 'failed',
    nextAttemptAt: row.ended_at === null ? String(row.due_at) : null,
    createdAt: String(row.created_at),
    attempts: made.filter(({ delivery_id }) => Number(delivery_id) === Number(row.id)).map(attemptOf),
  }))
}

const textOrNull = (value: Row[string] | undefined) =>
  value === null || value === undefined ? null : String(value)

const attemptOf = (row: Row): ListedAttempt => ({
  at: String(row.at),
  status: row.status === null ? null : Number(row.status),
  durationMs: Number(row.duration_ms),
  response: textOrNull(row.response),
  error: textOrNull(row.error),
})

/** Makes a delivery due now, whether or not it has ended; it is tried as often as a new one. Throws a 404. */
export async function retryDelivery(store: Store, id: number): Promise<ListedDelivery> {
  const { webhookId } = await readDelivery(store, id)
  await retry(store, webhookId, sql`id = ${id}`)
  return readDelivery(store, id)
}

/**
 * The same for all deliveries of events to a webhook since a time that have failed or wait after a failure; returns how
 * many. Tests are sent only once.
 */
export const retryFailedSince = (store: Store, webhookId: number, since: string): Promise<number> =>
  retry(
    store,
    webhookId,
    sql`webhook_id = ${webhookId} and created_at >= ${since} and attempts > 0
      and (ended_at is null or succeeded = 0)
      and exists (select 1 from ${messages} as m where m.id = message and m.seq is not null)`,
  )

async function retry(store: Store, webhookId: number, condition: Sql): Promise<number> {
  const now = new Date()
  const statement = sql`update ${deliveries} set due_at = ${now.toISOString()}, ended_at = null,
    succeeded = null, attempts = 0 where ${condition} returning id`
  return store.write(async (transaction) => {
    transaction.lock([WEBHOOKS])
    const rows = await transaction.all(compile(store.dialect, statement))
    if (rows.length > 0) enqueueUnlessRunning(transaction, DELIVER, String(webhookId), now)
    return rows.length
  })
}

/** The number of deliveries that wait, in all webhooks. */
export async function countWaiting(store: Store): Promise<number> {
  const [row] = await store.read(
    compile(store.dialect, sql`select count(*) as waiting from ${deliveries} where ended_at is null`),
  )
  return Number(row?.waiting ?? 0)
}
