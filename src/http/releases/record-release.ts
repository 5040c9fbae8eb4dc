/** Records what people do with releases in the audit log. */
import type { Release } from '../../documents/releases/releases.ts'
import type { Actor } from '../../events/audit/audit-record.ts'
import type { Transaction } from '../../store/store.ts'
import type { Server } from '../server.ts'

export type ReleaseAction = 'create' | 'update' | 'delete' | 'schedule' | 'cancel' | 'publish' | 'revert'

/** Adds a record to the transaction that changes the release. */
export function recordRelease(
  server: Server,
  transaction: Transaction,
  actor: Actor,
  action: ReleaseAction,
  { id, name }: Pick<Release, 'id' | 'name'>,
): void {
  server.access.audit.record(transaction, actor, {
    action: `release.${action}`,
    details: { release: id, name },
  })
}
