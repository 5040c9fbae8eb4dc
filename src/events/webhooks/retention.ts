/** Deletes deliveries that are too old or too many, with their attempts and messages, in small steps. */
import type { JobKind } from '../../jobs/job.ts'
import { cutoffTime, deleteInSteps } from '../../jobs/retention.ts'
import type { Config } from '../../project/config/config.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { attempts, deliveries, messages } from './tables.ts'

const STEP = 500
const EVERY_MS = 60_000

type Retention = Pick<Config['webhooks'], 'keepDays' | 'maxDeliveries'>

export const webhookRetention = (store: Store, retention: Retention): JobKind => ({
  kind: 'webhooks.retention',
  every: EVERY_MS,
  run: () => deleteOldDeliveries(store, retention, Date.now()),
})

/** Those beyond the maximum number are kept while they wait. */
export async function deleteOldDeliveries(
  store: Store,
  { keepDays, maxDeliveries }: Retention,
  now: number,
): Promise<void> {
  const before = cutoffTime(keepDays, now)
  const [row] = await store.read(compile(store.dialect, sql`select max(id) as newest from ${deliveries}`))
  const last = Number(row?.newest ?? 0) - maxDeliveries
  const oldest = sql`select id, created_at from ${deliveries} order by id limit ${STEP}`
  await deleteSelected(store, sql`select id from (${oldest}) as oldest where created_at < ${before}`)
  if (last > 0)
    await deleteSelected(
      store,
      sql`select id from ${deliveries} where id <= ${last} and ended_at is not null order by id limit ${STEP}`,
    )
  await deleteMessages(store)
}

/** Deletes all deliveries of a webhook. */
export const deleteDeliveriesOf = (store: Store, webhookId: number): Promise<void> =>
  deleteSelected(store, sql`select id from ${deliveries} where webhook_id = ${webhookId} limit ${STEP}`)

/** `select` returns the ids of up to `STEP` deliveries. */
async function deleteSelected(store: Store, select: Sql): Promise<void> {
  const { dialect } = store
  await deleteInSteps(store, STEP, async (transaction) => {
    const ids = (await transaction.all(compile(dialect, select))).map(({ id }) => Number(id))
    if (ids.length === 0) return 0
    const list = sql`${JSON.stringify(ids)}`
    for (const statement of [
      sql`delete from ${attempts} where ${dialect.inIntegers(sql.id('delivery_id'), list)}`,
      sql`delete from ${deliveries} where ${dialect.inIntegers(sql.id('id'), list)}`,
    ])
      transaction.run(compile(dialect, statement))
    return ids.length
  })
}

/** Messages are older than their deliveries, so those before the first delivery's are no longer needed. */
async function deleteMessages(store: Store): Promise<void> {
  const first = sql`(select coalesce(min(message), (select max(id) from ${messages})) from ${deliveries})`
  const statement = compile(
    store.dialect,
    sql`delete from ${messages} where id in (
      select id from ${messages} where id < ${first} order by id limit ${STEP}) returning id`,
  )
  await deleteInSteps(store, STEP, async (transaction) => (await transaction.all(statement)).length)
}
