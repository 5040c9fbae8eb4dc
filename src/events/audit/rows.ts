/** Records as rows of the table. */
import { sql } from '../../store/sql.ts'
import type { Row, SqlValue } from '../../store/statement.ts'
import type { AuditContent, AuditRecord } from './audit-record.ts'

export const contentColumns = sql.raw(
  'at, action, author, type, document_id, locale, fields, details, address, user_agent, request_id',
)

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

/** Text that is no JSON was not written by this program. It is shown as it is, and `verify` reports the record. */
function detailsOf(value: SqlValue | undefined): AuditContent['details'] {
  if (value === null || value === undefined) return null
  try {
    return JSON.parse(String(value))
  } catch {
    return { invalid: String(value) }
  }
}

export const recordOf = (row: Row): AuditRecord => ({
  ...contentOf(row, Number(row.seq)),
  hash: String(row.hash),
})
