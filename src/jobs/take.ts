/** Takes due jobs for a process, extends their leases and ends them. */
import { compile } from '../store/compile.ts'
import { type Sql, sql } from '../store/sql.ts'
import type { Row } from '../store/statement.ts'
import type { Store, Transaction } from '../store/store.ts'
import { type JobKind, LeaseLost, type TakenJob } from './job.ts'
import { JOBS, jobs } from './tables.ts'

const instant = (time: number) => new Date(time).toISOString()

/** When the next job of these kinds is due; null if there is none. */
export async function nextDue(store: Store, kinds: readonly string[]): Promise<number | null> {
  const [row] = await store.read(
    compile(
      store.dialect,
      sql`select min(due_at) as due from ${jobs} where failed_at is null and kind in (${sql.join(kinds)})`,
    ),
  )
  return row?.due == null ? null : Date.parse(String(row.due))
}

/** Takes up to `limit` due jobs, those due first. Processes that take jobs at the same time get different ones. */
export async function takeDue(
  store: Store,
  holder: string,
  kinds: readonly JobKind[],
  leaseMs: number,
  limit: number,
): Promise<TakenJob[]> {
  const { dialect } = store
  const now = Date.now()
  const names = sql.join(kinds.map(({ kind }) => kind))
  const due = sql`select id from ${jobs} where failed_at is null and due_at <= ${instant(now)}
    and kind in (${names}) order by due_at limit ${limit} ${dialect.skipLocked}`
  const rows = await store.write((transaction) =>
    transaction.all(
      compile(
        dialect,
        sql`update ${jobs} set holder = ${holder}, due_at = ${instant(now + leaseMs)}, attempts = attempts + 1
          where id in (${due}) returning id, kind, job_key, payload, run_at, attempts`,
      ),
    ),
  )
  return rows
    .map((row) => jobFrom(row, holder))
    .sort((one, other) => (one.runAt < other.runAt ? -1 : one.runAt > other.runAt ? 1 : one.id - other.id))
}

const jobFrom = (row: Row, holder: string): TakenJob => {
  const job = {
    id: Number(row.id),
    kind: String(row.kind),
    key: row.job_key === null ? null : String(row.job_key),
    payload: JSON.parse(String(row.payload)),
    runAt: String(row.run_at),
    attempt: Number(row.attempts),
  }
  return { ...job, completeIn: (transaction) => endIn(transaction, { ...job, holder }) }
}

type Held = Pick<TakenJob, 'id' | 'kind' | 'attempt'> & { readonly holder: string }

const isHeld = ({ id, holder, attempt }: Held): Sql =>
  sql`id = ${id} and holder = ${holder} and attempts = ${attempt}`

/** Deletes a job, or throws LeaseLost. */
async function endIn(transaction: Transaction, job: Held): Promise<void> {
  const deleted = sql`delete from ${jobs} where ${isHeld(job)} returning id`
  if ((await transaction.all(compile(transaction.dialect, deleted))).length === 0) throw new LeaseLost(job)
  transaction.touch(JOBS)
}

/** Changes a job that is still held; one that another process has taken is left to that process. */
async function change(store: Store, job: Held, assignments: Sql): Promise<void> {
  await store.write(async (transaction) => {
    const statement = sql`update ${jobs} set ${assignments} where ${isHeld(job)}`
    transaction.run(compile(transaction.dialect, statement))
    transaction.touch(JOBS)
  })
}

/** Deletes a job that has run; does nothing if it was completed or replaced meanwhile. */
export async function endJob(store: Store, job: Held): Promise<void> {
  await store.write(async (transaction) => {
    transaction.run(compile(transaction.dialect, sql`delete from ${jobs} where ${isHeld(job)}`))
    transaction.touch(JOBS)
  })
}

export const extendLease = (store: Store, job: Held, leaseMs: number) =>
  change(store, job, sql`due_at = ${instant(Date.now() + leaseMs)}`)

/** Makes a job due again later. */
export const repeatJob = (store: Store, job: Held, at: number) =>
  change(
    store,
    job,
    sql`holder = null, attempts = 0, error = null, run_at = ${instant(at)}, due_at = ${instant(at)}`,
  )

export const retryJob = (store: Store, job: Held, at: number, error: string) =>
  change(store, job, sql`holder = null, error = ${error}, due_at = ${instant(at)}`)

/** Keeps a job that will not run again, for people to see. */
export const giveUpJob = (store: Store, job: Held, error: string) =>
  change(store, job, sql`holder = null, error = ${error}, failed_at = ${instant(Date.now())}`)
