/**
 * Notices: what the team has to know about work that nobody waits for, such as a scheduled document that could not be
 * published. They are stored with the change that causes them, and also sent by e-mail.
 */
import { enqueue } from '../../jobs/enqueue.ts'
import { cutoffTime, deleteInSteps } from '../../jobs/retention.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { OwnTables } from '../../store/tables/own-tables.ts'

const NOTICES = 'octavo_notices'

const notices = sql.table(NOTICES)

/** The kind of the jobs that send notices by e-mail. Their payload is a NoticeMail. */
export const NOTICE_MAIL_JOB = 'notices.mail'

/** The document that a notice is about. */
export interface NoticeSubject {
  /** uid of the content-type. */
  readonly type: string
  readonly documentId: string
  readonly locale: string | null
}

export interface NewNotice {
  /** What has happened, such as `schedule.failed`. */
  readonly kind: string
  /** A sentence for people. */
  readonly message: string
  /** Only those who may read the document see the notice. Without one, the whole team does. */
  readonly subject?: NoticeSubject
  /** More for programs, without secrets. */
  readonly details?: Readonly<Record<string, unknown>>
  /** Who gets the e-mail besides the admins: `user:<documentId>`; others are ignored. */
  readonly author?: string
}

export interface Notice extends Omit<NewNotice, 'author' | 'subject'> {
  readonly id: number
  readonly at: string
  readonly subject: NoticeSubject | null
}

export interface NoticeMail {
  readonly message: string
  readonly author: string | null
}

export const noticeTables: OwnTables = (dialect) => [
  sql`create table if not exists ${notices} (
    id ${sql.raw(dialect.generatedIdType)}, kind text not null, message text not null, details text not null,
    type text, document_id text, locale text, at text not null)`,
]

/** Stores a notice, and a job that sends it by e-mail. */
export function addNotice(
  transaction: Transaction,
  { kind, message, subject, details = {}, author }: NewNotice,
): void {
  transaction.run(
    compile(
      transaction.dialect,
      sql`insert into ${notices} (kind, message, details, type, document_id, locale, at) values (
        ${kind}, ${message}, ${JSON.stringify(details)}, ${subject?.type ?? null}, ${subject?.documentId ?? null},
        ${subject?.locale ?? null}, ${new Date().toISOString()})`,
    ),
  )
  const mail: NoticeMail = { message, author: author ?? null }
  enqueue(transaction, { kind: NOTICE_MAIL_JOB, payload: mail })
}

/** Up to `limit` notices, the newest first. */
export async function listNotices(store: Store, limit: number): Promise<readonly Notice[]> {
  const statement = sql`select id, kind, message, details, type, document_id, locale, at from ${notices}
    order by id desc limit ${limit}`
  return (await store.read(compile(store.dialect, statement))).map(noticeFrom)
}

export async function readNotice(store: Store, id: number): Promise<Notice | null> {
  const statement = sql`select id, kind, message, details, type, document_id, locale, at from ${notices}
    where id = ${id}`
  const [row] = await store.read(compile(store.dialect, statement))
  return row ? noticeFrom(row) : null
}

export async function deleteNotice(store: Store, id: number): Promise<void> {
  await store.write(async (transaction) =>
    transaction.run(compile(store.dialect, sql`delete from ${notices} where id = ${id}`)),
  )
}

export interface NoticeRetention {
  readonly keepDays: number
  readonly maxNotices: number
}

const STEP = 500

/** Deletes notices that are too old or too many; returns their number. */
export async function deleteOldNotices(
  store: Store,
  { keepDays, maxNotices }: NoticeRetention,
  now: number,
): Promise<number> {
  const before = cutoffTime(keepDays, now)
  const oldest = sql`select id, at from ${notices} order by id limit ${sql.lit(STEP)}`
  const statement = compile(
    store.dialect,
    sql`delete from ${notices} where id in (select id from (${oldest}) as oldest where at < ${before}
      or id <= (select max(id) from ${notices}) - ${maxNotices}) returning id`,
  )
  return deleteInSteps(store, STEP, async (transaction) => (await transaction.all(statement)).length)
}

const noticeFrom = (row: Row): Notice => ({
  id: Number(row.id),
  kind: String(row.kind),
  message: String(row.message),
  details: JSON.parse(String(row.details)),
  at: String(row.at),
  subject:
    row.type === null
      ? null
      : {
          type: String(row.type),
          documentId: String(row.document_id),
          locale: row.locale === null ? null : String(row.locale),
        },
})
