/** Starts the jobs of webhooks that events are waiting for. */
import { enqueueUnlessRunning } from '../../jobs/enqueue.ts'
import { jobs } from '../../jobs/tables.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { readRange } from '../outbox/read-events.ts'
import { DELIVER, WEBHOOKS, webhooks } from './tables.ts'

/** Stores a job for each webhook that is behind the events, unless it has one that runs or is due. */
export async function wakeWebhooks(store: Store): Promise<void> {
  const { dialect } = store
  const { newest } = await readRange(store)
  const now = new Date()
  const behind = await store.read(
    compile(
      dialect,
      sql`select w.id from ${webhooks} as w where w.enabled = 1 and w.position < ${newest} and not exists (
        select 1 from ${jobs} as j where j.kind = ${DELIVER} and j.job_key = cast(w.id as text)
        and (j.holder is not null or j.due_at <= ${now.toISOString()}))`,
    ),
  )
  if (behind.length === 0) return
  await store.write(async (transaction) => {
    transaction.lock([WEBHOOKS])
    for (const { id } of behind) enqueueUnlessRunning(transaction, DELIVER, String(id), now)
  })
}

/** Whether a webhook is on. */
export async function hasEnabled(store: Store): Promise<boolean> {
  const statement = sql`select 1 as one from ${webhooks} where enabled = 1 limit 1`
  return (await store.read(compile(store.dialect, statement))).length > 0
}
