/** Stores an event for every change record, in the transaction of the change. */
import { authorText } from '../../documents/changes/author-text.ts'
import type { ChangeRecord, ChangeSink } from '../../documents/changes/change-record.ts'
import { placeholders, statement } from '../../documents/rows/statement.ts'
import { sql } from '../../store/sql.ts'
import type { SqlValue } from '../../store/statement.ts'
import { eventNameOf } from '../event.ts'
import { removedBy } from './removed-content.ts'
import { events } from './tables.ts'

const COLUMNS = [
  ...['event', 'type', 'document_id', 'locale', 'published', 'author', 'request_id', 'at', 'removed'],
] as const

/** Rows per statement. */
const MAX_ROWS = 100

export const eventOutbox: ChangeSink = {
  record(transaction, records) {
    const { dialect } = transaction
    for (let from = 0; from < records.length; from += MAX_ROWS) {
      const chunk = records.slice(from, from + MAX_ROWS)
      const build = () => sql`${dialect.insertInto(events)} (${sql.join(COLUMNS.map((name) => sql.id(name)))})
        values ${sql.join(chunk.map(() => sql`(${placeholders(COLUMNS.length)})`))}`
      const values = chunk.flatMap(valuesOf)
      transaction.run(statement(dialect, `events|${chunk.length}`, build, values))
    }
  },
}

const valuesOf = (record: ChangeRecord): SqlValue[] => [
  ...[eventNameOf(record), record.type.uid, record.documentId, record.locale],
  ...[record.published ? 1 : 0, authorText(record.by), record.origin?.requestId ?? null],
  ...[record.at, removedBy(record)],
]
