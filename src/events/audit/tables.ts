/** The tables of the audit log: the records in the chain, those that wait to be added, and the state of the chain. */
import { sql } from '../../store/sql.ts'
import type { OwnTables } from '../../store/tables/own-tables.ts'

export const AUDIT = 'octavo_audit'

/** Records in the chain. Their id is their number, without gaps. */
export const audit = sql.table(AUDIT)

export const INCOMING = 'octavo_audit_incoming'

/** Records that wait to be added to the chain. Those of content wait in the table of events, if events are on. */
export const incoming = sql.table(INCOMING)

/**
 * One row with the number and hash of the last record in the chain, those of the last one that retention has deleted, and
 * the sequence number of the last event that was added.
 */
export const chain = sql.table('octavo_audit_chain')

const CONTENT =
  sql.raw(`at text not null, action text not null, author text not null, type text, document_id text,
  locale text, fields text not null, details text, address text, user_agent text, request_id text`)

export const auditTables: OwnTables = (dialect) => {
  // On SQLite, every index holds the id of the row already.
  const inOrder = dialect.hasSingleWriter ? sql`` : sql`, id`
  return [
    sql`create table if not exists ${incoming} (id ${sql.raw(dialect.ascendingIdType)}, ${CONTENT})`,
    sql`create table if not exists ${audit} (id ${sql.raw(dialect.rowIdType)}, ${CONTENT}, hash text not null)`,
    sql`create index if not exists octavo_audit_of_document on ${audit} (document_id${inOrder})
      where document_id is not null`,
    sql`create index if not exists octavo_audit_of_author on ${audit} (author${inOrder})`,
    sql`create index if not exists octavo_audit_at_time on ${audit} (at${inOrder})`,
    sql`create index if not exists octavo_audit_not_of_content on ${audit} (action${inOrder}) where type is null`,
    sql`create table if not exists ${chain} (id integer primary key, last_seq bigint not null, last_hash text not null,
      deleted_seq bigint not null, deleted_hash text not null, last_event bigint not null default 0)`,
    sql`insert into ${chain} (id, last_seq, last_hash, deleted_seq, deleted_hash) values (1, 0, '', 0, '')
      on conflict (id) do nothing`,
  ]
}
