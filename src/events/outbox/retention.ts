/** Deletes events that are too old or too many, in small steps that no write waits for. */
import type { JobKind } from '../../jobs/job.ts'
import { cutoffTime, deleteInSteps } from '../../jobs/retention.ts'
import type { Config } from '../../project/config/config.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { readRange } from './read-events.ts'
import { events, sequence } from './tables.ts'

const STEP = 500
const EVERY_MS = 60_000

type Retention = Pick<Config['events'], 'keepDays' | 'maxEvents'>

/** Takes what else is needed from the events so far; they may be deleted when it returns. */
type Release = () => Promise<void>

export const eventRetention = (store: Store, retention: Retention, release: Release): JobKind => ({
  kind: 'events.retention',
  every: EVERY_MS,
  run: async () => void (await deleteOldEvents(store, retention, Date.now(), release)),
})

/** Returns the number of deleted events. The last event always stays: the numbers continue from it. */
export async function deleteOldEvents(
  store: Store,
  { keepDays, maxEvents }: Retention,
  now: number,
  release: Release = async () => {},
): Promise<number> {
  const { dialect } = store
  const seq = sequence(dialect)
  const { newest } = await readRange(store)
  await release()
  const before = cutoffTime(keepDays, now)
  // Only the oldest are read: if they are kept, so are all later ones.
  const oldest = sql`select id, at, ${seq} as seq from ${events} where ${seq} < ${newest}
    order by ${seq} limit ${sql.lit(STEP)}`
  const statement = compile(
    dialect,
    sql`delete from ${events} where id in (
      select id from (${oldest}) as oldest where seq <= ${newest - maxEvents} or at < ${before}) returning id`,
  )
  return deleteInSteps(store, STEP, async (transaction) => (await transaction.all(statement)).length)
}
