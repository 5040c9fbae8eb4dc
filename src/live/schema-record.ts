/** The record of the audit log about a change of content-types. */
import type { AuditEntry } from '../events/audit/audit-record.ts'
import type { PlannedChange } from '../store/migration/plan/migration-plan.ts'

/** The first migration of a large project describes thousands of changes. */
const MAX_LENGTH = 2_000

export function schemaRecord(plan: readonly PlannedChange[]): AuditEntry {
  const changes = plan.map(({ description }) => description).join('; ')
  const shown = changes.length > MAX_LENGTH ? `${changes.slice(0, MAX_LENGTH)} …` : changes
  return { action: 'schema.update', details: { changes: shown } }
}
