/** The table of events: one row for each change record. */
import { compile } from '../../store/compile.ts'
import type { Dialect } from '../../store/dialect.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'

export const EVENTS = 'octavo_events'

export const events = sql.table(EVENTS)

/**
 * The column with the sequence number of an event. With a single writer, ids are committed in their order. Otherwise a
 * transaction can commit after one that has taken a higher id, so events get a number only once they are committed.
 */
export const sequence = (dialect: Dialect): Sql => sql.id(dialect.hasSingleWriter ? 'id' : 'seq')

/** Safe to run in several processes at the same time. */
export async function createEventTables(store: Store): Promise<void> {
  const { dialect } = store
  const numbered = !dialect.hasSingleWriter
  const statements = [
    sql`create table if not exists ${events} (
      id ${sql.raw(dialect.ascendingIdType)}${numbered ? sql`, seq bigint` : sql``},
      event text not null, type text not null, document_id text not null, locale text not null,
      published ${sql.raw(dialect.smallIntegerType)} not null, author text not null, request_id text,
      at text not null, removed text)`,
    sql`create index if not exists octavo_events_removals on ${events} (document_id) where removed is not null`,
    ...(numbered
      ? [
          sql`create unique index if not exists octavo_events_seq on ${events} (seq) where seq is not null`,
          sql`create index if not exists octavo_events_unnumbered on ${events} (id) where seq is null`,
        ]
      : []),
  ]
  await store.write(async (transaction) => {
    transaction.lock([EVENTS])
    for (const statement of statements) transaction.run(compile(dialect, statement))
  })
}
