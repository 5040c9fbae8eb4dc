/** Deletes releases that were published long ago, in small steps. */
import type { JobKind } from '../../jobs/job.ts'
import { cutoffTime, deleteInSteps } from '../../jobs/retention.ts'
import type { Config } from '../../project/config/config.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import { deleteRelease } from './releases.ts'
import { releases } from './tables.ts'

const STEP = 20
const EVERY_MS = 3_600_000

type Retention = Pick<Config['releases'], 'keepDays' | 'maxReleases'>

export const releaseRetention = (store: Store, retention: Retention): JobKind => ({
  kind: 'releases.retention',
  every: EVERY_MS,
  run: async () => void (await deleteOldReleases(store, retention, Date.now())),
})

/** Returns the number of deleted releases. Those that are not published stay. */
export async function deleteOldReleases(
  store: Store,
  { keepDays, maxReleases }: Retention,
  now: number,
): Promise<number> {
  const before = cutoffTime(keepDays, now)
  const newest = sql`select id from ${releases} where published_at is not null
    order by published_at desc, id desc limit ${maxReleases}`
  const old = sql`select id from ${releases} where published_at is not null
    and (published_at < ${before} or id not in (${newest})) order by published_at limit ${sql.lit(STEP)}`
  return deleteInSteps(store, STEP, async (transaction) => {
    const rows = await transaction.all(compile(store.dialect, old))
    for (const { id } of rows) deleteRelease(transaction, Number(id))
    return rows.length
  })
}
