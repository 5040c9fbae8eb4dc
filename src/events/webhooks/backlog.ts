/** Turns webhooks off that are too far behind, so that the deliveries that wait for a slow receiver are bounded. */
import type { JobKind } from '../../jobs/job.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import type { TurnedOff } from './deliver.ts'
import { deliveries } from './tables.ts'
import { readWebhook, turnOff } from './webhooks.ts'

const MAX_WAITING = 100_000
const EVERY_MS = 60_000

export const backlogLimit = (store: Store, onTurnedOff: TurnedOff): JobKind => ({
  kind: 'webhooks.backlog',
  every: EVERY_MS,
  run: () => limitBacklogs(store, onTurnedOff, MAX_WAITING),
})

export async function limitBacklogs(store: Store, onTurnedOff: TurnedOff, max: number): Promise<void> {
  const rows = await store.read(
    compile(
      store.dialect,
      sql`select webhook_id from ${deliveries} where ended_at is null
        group by webhook_id having count(*) > ${max}`,
    ),
  )
  for (const { webhook_id } of rows) {
    const webhook = await readWebhook(store, Number(webhook_id))
    const reason = `More than ${max} deliveries are waiting`
    if (webhook && (await turnOff(store, webhook, reason))) onTurnedOff(webhook, reason)
  }
}
