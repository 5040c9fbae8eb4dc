/** Jobs as people see them. */
import { compile } from '../store/compile.ts'
import { sql } from '../store/sql.ts'
import type { Row } from '../store/statement.ts'
import type { Store, Transaction } from '../store/store.ts'
import { JOBS, jobs } from './tables.ts'

export const JOB_STATES = ['waiting', 'running', 'retrying', 'failed'] as const

export type JobState = (typeof JOB_STATES)[number]

export interface ListedJob {
  readonly id: number
  readonly kind: string
  readonly key: string | null
  readonly state: JobState
  /** When it is due, or was. */
  readonly runAt: string
  /** When it runs next; for a running job, when its lease ends. */
  readonly dueAt: string
  readonly attempts: number
  /** Why the last attempt failed. */
  readonly error: string | null
}

/** A running job whose lease has ended counts as one that is tried again. */
const stateAt = (now: string) => sql`case when failed_at is not null then 'failed'
  when holder is not null and due_at > ${now} then 'running' when attempts > 0 then 'retrying' else 'waiting' end`

/** Up to `limit` jobs in the order in which they are due; those that were given up come last. */
export async function listJobs(store: Store, limit: number, state?: JobState): Promise<ListedJob[]> {
  const ofState = stateAt(new Date().toISOString())
  const rows = await store.read(
    compile(
      store.dialect,
      sql`select * from (select id, kind, job_key, run_at, due_at, attempts, error, failed_at, ${ofState} as state
          from ${jobs}) as listed ${state === undefined ? sql`` : sql`where state = ${state}`}
        order by case when failed_at is null then 0 else 1 end, due_at, id limit ${limit}`,
    ),
  )
  return rows.map(listed)
}

const listed = (row: Row): ListedJob => ({
  id: Number(row.id),
  kind: String(row.kind),
  key: keyOf(row),
  state: stateNamed(row.state),
  runAt: String(row.run_at),
  dueAt: String(row.due_at),
  attempts: Number(row.attempts),
  error: row.error === null ? null : String(row.error),
})

const keyOf = ({ job_key: key }: Row): string | null => (key === null || key === '' ? null : String(key))

const stateNamed = (value: unknown): JobState => JOB_STATES.find((state) => state === value) ?? 'waiting'

export interface JobCount {
  readonly kind: string
  readonly state: JobState
  readonly count: number
}

/** The number of jobs by kind and state. */
export async function countJobs(store: Store): Promise<JobCount[]> {
  const rows = await store.read(
    compile(
      store.dialect,
      sql`select kind, state, count(*) as count from (
        select kind, ${stateAt(new Date().toISOString())} as state from ${jobs}) as listed group by kind, state`,
    ),
  )
  return rows.map((row) => ({
    kind: String(row.kind),
    state: stateNamed(row.state),
    count: Number(row.count),
  }))
}

/** Makes a job due now, even one that was given up; returns whether it exists. */
export async function retryNow(store: Store, id: number): Promise<boolean> {
  const now = new Date().toISOString()
  return changeOne(
    store,
    sql`update ${jobs} set due_at = ${now}, attempts = 0, holder = null, failed_at = null
      where id = ${id} returning kind, job_key`,
  )
}

/** What else is done in the transaction that changes a job. */
type AfterChange = (transaction: Transaction, job: Pick<ListedJob, 'kind' | 'key'>) => Promise<void>

/** Deletes a job; returns whether it existed. */
export const deleteJob = (store: Store, id: number, afterChange?: AfterChange): Promise<boolean> =>
  changeOne(store, sql`delete from ${jobs} where id = ${id} returning kind, job_key`, afterChange)

const changeOne = (
  store: Store,
  statement: ReturnType<typeof sql>,
  afterChange: AfterChange = async () => {},
): Promise<boolean> =>
  store.write(async (transaction) => {
    const rows = await transaction.all(compile(store.dialect, statement))
    for (const row of rows) await afterChange(transaction, { kind: String(row.kind), key: keyOf(row) })
    transaction.touch(JOBS)
    return rows.length > 0
  })
