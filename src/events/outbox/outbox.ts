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
] as const

const insert = rowInsert(EVENTS, COLUMNS, placeholders(COLUMNS.length))

export const eventOutbox: ChangeSink = {
  record(transaction, records) {
    transaction.append(insert(transaction.dialect, records.map(valuesOf)))
  },
}

const valuesOf = (record: ChangeRecord): SqlValue[] => [
  ...[eventNameOf(record), record.type.uid, record.documentId, record.locale],
  ...[record.published ? 1 : 0, authorText(record.by), record.origin?.requestId ?? null],
  ...[record.at, removedBy(record)],
]
