/** The tables of the audit log: its records, and the state of their chain. */
import type { Dialect } from '../../store/dialect.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { OwnTables } from '../../store/tables/own-tables.ts'

export const AUDIT = 'octavo_audit'

export const audit = sql.table(AUDIT)

/** One row with the number and hash of the last record in the chain, and of the last one that retention has deleted. */
export const chain = sql.table('octavo_audit_chain')

/**
 * The column with the number of a record. With a single writer, ids have no gaps and are committed in their order.
 * Otherwise records are numbered when they are added to the chain.
 */
export const sequence = (dialect: Dialect): Sql => sql.id(dialect.hasSingleWriter ? 'id' : 'seq')

/**
 * Indexes hold only records that are in the chain: writes add to none of them, and chaining adds many records at once.
 */
export const auditTables: OwnTables = (dialect) => {
  const numbered = !dialect.hasSingleWriter
  // On SQLite, every index holds the id of the row already.
  const inOrder = numbered ? sql`, seq` : sql``
  return [
    sql`create table if not exists ${audit} (
      id ${sql.raw(dialect.ascendingIdType)}${numbered ? sql`, seq bigint` : sql``}, at text not null,
      action text not null, author text not null, type text, document_id text, locale text, fields text not null,
      details text, address text, user_agent text, request_id text, hash text)`,
    sql`create index if not exists octavo_audit_document on ${audit} (document_id${inOrder})
      where hash is not null and document_id is not null`,
    sql`create index if not exists octavo_audit_author on ${audit} (author${inOrder}) where hash is not null`,
    sql`create index if not exists octavo_audit_at on ${audit} (at${inOrder}) where hash is not null`,
    sql`create index if not exists octavo_audit_beside_content on ${audit} (action${inOrder})
      where hash is not null and type is null`,
    ...(numbered
      ? [
          sql`create unique index if not exists octavo_audit_seq on ${audit} (seq) where seq is not null`,
          sql`create index if not exists octavo_audit_unnumbered on ${audit} (id) where seq is null`,
        ]
      : []),
    sql`create table if not exists ${chain} (id integer primary key, last_seq bigint not null, last_hash text not null,
      deleted_seq bigint not null, deleted_hash text not null)`,
    sql`insert into ${chain} (id, last_seq, last_hash, deleted_seq, deleted_hash) values (1, 0, '', 0, '')
      on conflict (id) do nothing`,
  ]
}
