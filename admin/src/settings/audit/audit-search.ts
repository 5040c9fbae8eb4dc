/** The filters of the audit log in its URL, so that what they select can be shared. */
import type { AuditFilter } from '../../api/settings/audit.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isDay = (value: unknown): value is string => isText(value) && DAY.test(value)

/** What is not valid is ignored. */
export const parseAuditSearch = (search: Readonly<Record<string, unknown>>): AuditFilter => ({
  ...(isText(search.by) && { by: search.by }),
  ...(isText(search.action) && { action: search.action }),
  ...(isText(search.type) && { type: search.type }),
  ...(isText(search.documentId) && { documentId: search.documentId }),
  ...(isDay(search.from) && { from: search.from }),
  ...(isDay(search.to) && { to: search.to }),
})
