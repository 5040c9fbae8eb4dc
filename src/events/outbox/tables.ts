/** The table of events: one row for each change record. */
import type { Dialect } from '../../store/dialect.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { OwnTables } from '../../store/tables/own-tables.ts'

export const EVENTS = 'octavo_events'

export const events = sql.table(EVENTS)

/**
 * The column with the sequence number of an event. With a single writer, ids are committed in their order. Otherwise a
 * transaction can commit after one that has taken a higher id, so events get a number only once they are committed.
 */
export const sequence = (dialect: Dialect): Sql => sql.id(dialect.hasSingleWriter ? 'id' : 'seq')

/** The last three columns are for the audit log, which takes its records of content from here. Null if it is off. */
export const eventTables: OwnTables = (dialect) => {
  const numbered = !dialect.hasSingleWriter
  return [
    sql`create table if not exists ${events} (
      id ${sql.raw(dialect.ascendingIdType)}${numbered ? sql`, seq bigint` : sql``},
      event text not null, type text not null, document_id text not null, locale text not null,
      published ${sql.raw(dialect.smallIntegerType)} not null, author text not null, request_id text,
      at text not null, removed text, fields text, address text, user_agent text)`,
    sql`create index if not exists octavo_events_removals on ${events} (document_id) where removed is not null`,
    ...(numbered
      ? [
          sql`create unique index if not exists octavo_events_seq on ${events} (seq) where seq is not null`,
          sql`create index if not exists octavo_events_unnumbered on ${events} (id) where seq is null`,
        ]
      : []),
  ]
}
