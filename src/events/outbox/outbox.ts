/** Stores an event for every change record, in the transaction of the change. */
import { authorText } from '../../documents/changes/author-text.ts'
import type { ChangeRecord, ChangeSink } from '../../documents/changes/change-record.ts'
import { placeholders, rowInsert } from '../../documents/rows/statement.ts'
import type { SqlValue } from '../../store/statement.ts'
import { eventNameOf } from '../event.ts'
import { removedBy } from './removed-content.ts'
import { EVENTS } from './tables.ts'

const COLUMNS = [
  ...['event', 'type', 'document_id', 'locale', 'published', 'author', 'request_id', 'at', 'removed'],
  ...['fields', 'address', 'user_agent'],
] as const

const insert = rowInsert(EVENTS, COLUMNS, placeholders(COLUMNS.length))

/** The values of the columns for the audit log: `fields`, `address` and `user_agent`. */
export type AuditColumns = (record: ChangeRecord) => readonly SqlValue[]

const NO_AUDIT: readonly SqlValue[] = [null, null, null]

/** With `audit`, an event also has what the audit log records, so that a change needs one row for both. */
export const eventOutbox = (audit: AuditColumns = () => NO_AUDIT): ChangeSink => ({
  record(transaction, records) {
    const rows = records.map((record) => [...eventColumns(record), ...audit(record)])
    transaction.append(insert(transaction.dialect, rows))
  },
})

const eventColumns = (record: ChangeRecord): SqlValue[] => [
  ...[eventNameOf(record), record.type.uid, record.documentId, record.locale],
  ...[record.published ? 1 : 0, authorText(record.by), record.origin?.requestId ?? null],
  ...[record.at, removedBy(record)],
]
