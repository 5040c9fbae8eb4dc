/** The table of jobs. */
import { sql } from '../store/sql.ts'
import type { OwnTables } from '../store/tables/own-tables.ts'

export const JOBS = 'octavo_jobs'

export const jobs = sql.table(JOBS)

/**
 * A job is due at `due_at`. Taking it moves `due_at` to the end of the lease, so a job whose process has ended is due
 * again by itself. Jobs that were given up have `failed_at`.
 */
export const jobTables: OwnTables = (dialect) => {
  return [
    sql`create table if not exists ${jobs} (
      id ${sql.raw(dialect.generatedIdType)}, kind text not null, job_key text, payload text not null,
      run_at text not null, due_at text not null, holder text, attempts integer not null, error text,
      failed_at text, created_at text not null)`,
    sql`create unique index if not exists octavo_jobs_key on ${jobs} (kind, job_key)`,
    sql`create index if not exists octavo_jobs_due on ${jobs} (due_at) where failed_at is null`,
  ]
}
