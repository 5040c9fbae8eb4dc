/** Schedules: a document in a locale is published or unpublished at a set time. Each has a job that runs it. */
import { cancel, cancelSelected, enqueue } from '../../jobs/enqueue.ts'
import { jobs } from '../../jobs/tables.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { ChangeRecord, ChangeSink } from '../changes/change-record.ts'
import { schedules } from './tables.ts'

export const SCHEDULED_ACTIONS = ['publish', 'unpublish'] as const

export type ScheduledAction = (typeof SCHEDULED_ACTIONS)[number]

export const isScheduledAction = (value: unknown): value is ScheduledAction =>
  SCHEDULED_ACTIONS.some((action) => action === value)

/** The kind of the jobs that run schedules. Their key is the id of the schedule. */
export const SCHEDULE_JOB = 'schedules'

/** A document in a locale; '' on types that are not localized. */
export interface ScheduledDocument {
  /** uid of the content-type. */
  readonly type: string
  readonly documentId: string
  readonly locale: string
}

export interface Schedule extends ScheduledDocument {
  readonly id: number
  readonly action: ScheduledAction
  readonly runAt: string
  /** Who scheduled it, and on whose behalf it runs: `user:<documentId>`, `token:<id>` or `public`. */
  readonly author: string
}

/** Schedules an action, in place of the time at which it was scheduled before. */
export async function setSchedule(
  transaction: Transaction,
  { type, documentId, locale, action, runAt, author }: Omit<Schedule, 'id'>,
): Promise<void> {
  const now = new Date().toISOString()
  const [row] = await transaction.all(
    compile(
      transaction.dialect,
      sql`insert into ${schedules} (type, document_id, locale, action, run_at, author, created_at)
        values (${type}, ${documentId}, ${locale}, ${action}, ${runAt}, ${author}, ${now})
        on conflict (document_id, type, locale, action)
        do update set run_at = excluded.run_at, author = excluded.author returning id`,
    ),
  )
  enqueue(transaction, { kind: SCHEDULE_JOB, key: String(row?.id), runAt: new Date(runAt) })
}

/** Cancels a schedule by its id; returns whether there was one. */
export async function cancelSchedule(transaction: Transaction, id: number): Promise<boolean> {
  const deleted = sql`delete from ${schedules} where id = ${id} returning id`
  const rows = await transaction.all(compile(transaction.dialect, deleted))
  cancel(transaction, SCHEDULE_JOB, String(id))
  return rows.length > 0
}

/** Deletes a schedule whose job is running. The job ends by itself. */
export function deleteSchedule(transaction: Transaction, id: number): void {
  transaction.run(compile(transaction.dialect, sql`delete from ${schedules} where id = ${id}`))
}

const COLUMNS = sql.raw('id, type, document_id, locale, action, run_at, author')

/** The schedules of a document in a locale, at most one for each action. */
export async function readSchedulesOf(
  transaction: Transaction,
  { type, documentId, locale }: ScheduledDocument,
): Promise<readonly Schedule[]> {
  const statement = sql`select ${COLUMNS} from ${schedules}
    where document_id = ${documentId} and type = ${type} and locale = ${locale}`
  return (await transaction.all(compile(transaction.dialect, statement))).map(scheduleFrom)
}

export async function readSchedule(store: Store, id: number): Promise<Schedule | null> {
  const statement = sql`select ${COLUMNS} from ${schedules} where id = ${id}`
  const [row] = await store.read(compile(store.dialect, statement))
  return row ? scheduleFrom(row) : null
}

/** Whether another action on the same document in the same locale was due earlier and is still to be run. */
export async function hasEarlier(store: Store, schedule: Schedule): Promise<boolean> {
  const { id, type, documentId, locale, runAt } = schedule
  const now = new Date().toISOString()
  const statement = sql`select 1 as one from ${schedules} as s join ${jobs} as j
    on j.kind = ${SCHEDULE_JOB} and j.job_key = cast(s.id as text) and j.failed_at is null
    where s.document_id = ${documentId} and s.type = ${type} and s.locale = ${locale}
      and s.id <> ${id} and s.run_at < ${runAt} and s.run_at <= ${now} limit 1`
  return (await store.read(compile(store.dialect, statement))).length > 0
}

/** Runs a schedule again later, in the transaction that ends its job. */
export const postpone = (transaction: Transaction, { id }: Schedule, runAt: Date): void =>
  enqueue(transaction, { kind: SCHEDULE_JOB, key: String(id), runAt })

/** Which schedules to list; times are ISO strings, `from` included and `to` excluded. */
export interface ScheduleFilter {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly type?: string | undefined
  readonly documentId?: string | undefined
}

/** Up to `limit` schedules in the order of their times. */
export async function listSchedules(
  store: Store,
  { from, to, type, documentId }: ScheduleFilter,
  limit: number,
): Promise<readonly Schedule[]> {
  const conditions: Sql[] = [
    ...(from === undefined ? [] : [sql`run_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`run_at < ${to}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(documentId === undefined ? [] : [sql`document_id = ${documentId}`]),
  ]
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, ' and ')}`
  const statement = sql`select ${COLUMNS} from ${schedules} ${where} order by run_at, id limit ${limit}`
  return (await store.read(compile(store.dialect, statement))).map(scheduleFrom)
}

const scheduleFrom = (row: Row): Schedule => ({
  id: Number(row.id),
  type: String(row.type),
  documentId: String(row.document_id),
  locale: String(row.locale),
  action: row.action === 'publish' ? 'publish' : 'unpublish',
  runAt: String(row.run_at),
  author: String(row.author),
})

/** Documents per statement. */
const MAX_DOCUMENTS = 100

/** Removes the schedules of deleted documents and locales, in the transaction that deletes them. */
export const scheduleRemoval: ChangeSink = {
  record(transaction, records) {
    const deleted = records.filter(({ action, type }) => action === 'delete' && type.draftAndPublish)
    for (let from = 0; from < deleted.length; from += MAX_DOCUMENTS) {
      const chosen = sql`(type, document_id, locale) in (values ${sql.join(
        deleted.slice(from, from + MAX_DOCUMENTS).map(valuesOf),
      )})`
      cancelSelected(
        transaction,
        SCHEDULE_JOB,
        sql`select cast(id as text) from ${schedules} where ${chosen}`,
      )
      transaction.run(compile(transaction.dialect, sql`delete from ${schedules} where ${chosen}`))
    }
  },
}

const valuesOf = ({ type, documentId, locale }: ChangeRecord) => sql`(${type.uid}, ${documentId}, ${locale})`
