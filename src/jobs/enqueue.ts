/** Stores and cancels jobs inside the transaction of whoever asks for them. */
import { compile } from '../store/compile.ts'
import { type Sql, sql } from '../store/sql.ts'
import type { Transaction } from '../store/store.ts'
import type { NewJob } from './job.ts'
import { JOBS, jobs } from './tables.ts'

/** Stores a job: it exists if and only if the transaction commits. */
export function enqueue(transaction: Transaction, { kind, key, payload, runAt }: NewJob): void {
  const now = new Date().toISOString()
  const due = runAt?.toISOString() ?? now
  const insert = sql`insert into ${jobs} (kind, job_key, payload, run_at, due_at, attempts, created_at)
    values (${kind}, ${key ?? null}, ${JSON.stringify(payload ?? null)}, ${due}, ${due}, ${0}, ${now})`
  // A process that runs the replaced job no longer holds it, and so cannot delete this one.
  const replacing = sql`${insert} on conflict (kind, job_key) do update set payload = excluded.payload,
    run_at = excluded.run_at, due_at = excluded.due_at, attempts = 0, holder = null, error = null, failed_at = null`
  transaction.run(compile(transaction.dialect, key === undefined ? insert : replacing))
  transaction.touch(JOBS)
}

/** Deletes the job with this key, if there is one. */
export function cancel(transaction: Transaction, kind: string, key: string): void {
  const statement = sql`delete from ${jobs} where kind = ${kind} and job_key = ${key}`
  transaction.run(compile(transaction.dialect, statement))
  transaction.touch(JOBS)
}

/** Deletes the jobs of a kind whose keys a query returns. */
export function cancelSelected(transaction: Transaction, kind: string, keys: Sql): void {
  const statement = sql`delete from ${jobs} where kind = ${kind} and job_key in (${keys})`
  transaction.run(compile(transaction.dialect, statement))
}

/** Stores a job that repeats, first due after one interval, unless it is stored already. */
export function enqueueRepeating(transaction: Transaction, kind: string, intervalMs: number): void {
  const now = Date.now()
  const created = new Date(now).toISOString()
  const due = new Date(now + intervalMs).toISOString()
  const statement = sql`insert into ${jobs} (kind, job_key, payload, run_at, due_at, attempts, created_at)
    values (${kind}, '', 'null', ${due}, ${due}, ${0}, ${created}) on conflict (kind, job_key) do nothing`
  transaction.run(compile(transaction.dialect, statement))
}

/**
 * Stores a job, or makes the one with the same key due earlier. A job that runs at this moment is left alone: it must
 * look again for what there is to do, in a transaction that is serialized with this one, before it ends.
 */
export function enqueueUnlessRunning(transaction: Transaction, kind: string, key: string, runAt: Date): void {
  const now = new Date().toISOString()
  const due = runAt.toISOString()
  const statement = sql`insert into ${jobs} (kind, job_key, payload, run_at, due_at, attempts, created_at)
    values (${kind}, ${key}, 'null', ${due}, ${due}, ${0}, ${now}) on conflict (kind, job_key) do update
    set run_at = excluded.run_at, due_at = excluded.due_at
    where ${jobs}.holder is null and ${jobs}.due_at > excluded.due_at`
  transaction.run(compile(transaction.dialect, statement))
  transaction.touch(JOBS)
}
