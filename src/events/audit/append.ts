/** Adds records to the audit log, in the transaction of what they are about. */
import { authorText } from '../../documents/changes/author-text.ts'
import type { ChangeRecord, ChangeSink } from '../../documents/changes/change-record.ts'
import { placeholders, rowInsert } from '../../documents/rows/statement.ts'
import type { SqlValue } from '../../store/statement.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { eventNameOf } from '../event.ts'
import type { AuditColumns } from '../outbox/outbox.ts'
import type { Actor, AuditEntry } from './audit-record.ts'
import { changedFields } from './changed-fields.ts'
import { addressColumns, CONTENT_COLUMNS } from './rows.ts'
import { INCOMING } from './tables.ts'

const insert = rowInsert(INCOMING, CONTENT_COLUMNS, placeholders(CONTENT_COLUMNS.length))

/** What an event needs to become a record of the log. */
export const auditColumns: AuditColumns = (record) => [
  changedFields(record).join(),
  ...addressColumns(record.origin),
]

/** Records every change of content, where there are no events from which the records could be taken. */
export const auditSink: ChangeSink = {
  record(transaction, records) {
    transaction.append(insert(transaction.dialect, records.map(contentRow)))
  },
}

const contentRow = (record: ChangeRecord): SqlValue[] => [
  ...[record.at, eventNameOf(record), authorText(record.by), record.type.uid, record.documentId],
  ...[record.locale === '' ? null : record.locale, changedFields(record).join(), null],
  ...originColumns(record.origin),
]

const originColumns = (origin: Actor['origin']): SqlValue[] => [
  ...addressColumns(origin),
  origin?.requestId ?? null,
]

/** Records what people do beside content. */
export interface AuditLog {
  readonly isEnabled: boolean
  /** Adds a record to a transaction: it exists if and only if the transaction commits. */
  record(transaction: Transaction, actor: Actor, entry: AuditEntry): void
  /** Adds a record of its own, for what changes nothing else in the database. */
  add(actor: Actor, entry: AuditEntry): Promise<void>
}

/** Does nothing if the audit log is off. */
export function createAuditLog(store: Store, { enabled }: { readonly enabled: boolean }): AuditLog {
  const record: AuditLog['record'] = (transaction, { by, origin }, entry) => {
    if (!enabled) return
    const { action, type = null, documentId = null, locale = '', fields = [], details = null } = entry
    const row = [
      ...[new Date().toISOString(), action, authorText(by), type, documentId, locale || null, fields.join()],
      ...[details && JSON.stringify(details), ...originColumns(origin)],
    ]
    transaction.append(insert(transaction.dialect, [row]))
  }
  return {
    isEnabled: enabled,
    record,
    async add(actor, entry) {
      if (enabled) await store.write(async (transaction) => record(transaction, actor, entry))
    },
  }
}
