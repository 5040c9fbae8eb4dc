/** Deletes records of the audit log that are too old or too many, in small steps, and remembers where the chain continues. */
import type { JobKind } from '../../jobs/job.ts'
import { cutoffTime, deleteInSteps } from '../../jobs/retention.ts'
import type { Config } from '../../project/config/config.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { chainRecords, readChainState } from './chain.ts'
import { AUDIT, audit, chain } from './tables.ts'

const STEP = 500
const EVERY_MS = 60_000

type Retention = Pick<Config['audit'], 'keepDays' | 'maxRecords'>

/** Adds new records to the chain and deletes old ones. */
export const auditMaintenance = (store: Store, retention: Retention): JobKind => ({
  kind: 'audit.maintenance',
  every: EVERY_MS,
  async run() {
    await chainRecords(store)
    await deleteOldRecords(store, retention, Date.now())
  },
})

/** Returns the number of deleted records. The last record always stays: the numbers continue from it. */
export async function deleteOldRecords(
  store: Store,
  { keepDays, maxRecords }: Retention,
  now: number,
): Promise<number> {
  const before = cutoffTime(keepDays, now)
  return deleteInSteps(store, STEP, (transaction) => deleteStep(transaction, before, maxRecords))
}

/** Deletes the oldest records up to the first that is kept, so that the rest of the chain has no gap. */
async function deleteStep(transaction: Transaction, before: string, maxRecords: number): Promise<number> {
  const { dialect } = transaction
  const run = (statement: Sql) => transaction.run(compile(dialect, statement))
  transaction.lock([AUDIT])
  const { last } = await readChainState(transaction)
  const oldest = await transaction.all(
    compile(
      dialect,
      sql`select id, at, hash from ${audit} where id < ${last.seq} order by id limit ${sql.lit(STEP)}`,
    ),
  )
  const firstKept = oldest.findIndex(
    (row) => Number(row.id) > last.seq - maxRecords && String(row.at) >= before,
  )
  const count = firstKept < 0 ? oldest.length : firstKept
  const newestDeleted = oldest[count - 1]
  if (!newestDeleted) return 0
  run(sql`delete from ${audit} where id <= ${Number(newestDeleted.id)}`)
  run(sql`update ${chain} set deleted_seq = ${Number(newestDeleted.id)}, deleted_hash = ${String(newestDeleted.hash)}
    where id = 1`)
  return count
}
