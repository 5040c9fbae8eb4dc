/**
 * Migrates what the database stores about content-types outside of their tables: permissions, views, history,
 * schedules, releases, events and webhooks.
 */
import { migrateReferences } from '../documents/changes/migrate-references.ts'
import { migrateHistory } from '../documents/history/migrate-history.ts'
import { RELEASE_ENTRIES } from '../documents/releases/tables.ts'
import { SCHEDULES } from '../documents/schedules/tables.ts'
import { EVENTS } from '../events/outbox/tables.ts'
import type { Model } from '../model/model.ts'
import type { Change } from '../store/migration/plan/change.ts'
import type { Transaction } from '../store/store.ts'
import { migrateWebhooks } from './migrate-webhooks.ts'
import { migratePermissions } from './roles/migrate-permissions.ts'
import { migrateViews } from './team/migrate-views.ts'

/** In the transaction that changes the model. */
export async function migrateAccess(
  transaction: Transaction,
  changes: readonly Change[],
  next: Model,
): Promise<void> {
  await migratePermissions(transaction, changes, next)
  await migrateViews(transaction, changes)
  await migrateHistory(transaction, changes, next)
  await migrateReferences(transaction, [SCHEDULES, RELEASE_ENTRIES, EVENTS], changes, next)
  await migrateWebhooks(transaction, changes, next)
}
