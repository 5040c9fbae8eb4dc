/** Records as rows of the table. */
import type { Origin } from '../../documents/changes/origin.ts'
import { sql } from '../../store/sql.ts'
import type { Row, SqlValue } from '../../store/statement.ts'
import type { AuditContent, AuditRecord } from './audit-record.ts'

export const CONTENT_COLUMNS = [
  ...['at', 'action', 'author', 'type', 'document_id', 'locale', 'fields', 'details'],
  ...['address', 'user_agent', 'request_id'],
] as const

export const contentColumns = sql.join(CONTENT_COLUMNS.map((name) => sql.id(name)))

/** The same, of a row in the table of events. */
export const contentColumnsOfEvent = sql.raw(
  `at, event as action, author, type, document_id, nullif(locale, '') as locale, fields, null as details,
  address, user_agent, request_id`,
)

const MAX_USER_AGENT_LENGTH = 300

/** The values of `address` and `user_agent`. */
export const addressColumns = (origin: Origin | null): SqlValue[] => [
  origin?.address ?? null,
  origin?.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
]

const textOrNull = (value: SqlValue | undefined) =>
  value === null || value === undefined ? null : String(value)

/** The order of the members is part of the hash. */
export function contentOf(row: Row, seq: number): AuditContent {
  const author = String(row.author)
  const colon = author.indexOf(':')
  const fields = String(row.fields)
  return {
    seq,
    at: String(row.at),
    action: String(row.action),
    by: colon < 0 ? { kind: author } : { kind: author.slice(0, colon), id: author.slice(colon + 1) },
    type: textOrNull(row.type),
    documentId: textOrNull(row.document_id),
    locale: textOrNull(row.locale),
    fields: fields === '' ? [] : fields.split(','),
    details: detailsOf(row.details),
    address: textOrNull(row.address),
    userAgent: textOrNull(row.user_agent),
    requestId: textOrNull(row.request_id),
  }
}

/** Text that is not JSON was not written by this program. It is shown as it is, and `verify` reports the record. */
function detailsOf(value: SqlValue | undefined): AuditContent['details'] {
  if (value === null || value === undefined) return null
  try {
    return JSON.parse(String(value))
  } catch {
    return { invalid: String(value) }
  }
}

export const recordOf = (row: Row): AuditRecord => ({
  ...contentOf(row, Number(row.id)),
  hash: String(row.hash),
})
