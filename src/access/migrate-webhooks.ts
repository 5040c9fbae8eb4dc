/** Keeps the content-types and filters of webhooks when they are renamed, as in permissions. */
import { WEBHOOKS, webhooks } from '../events/webhooks/tables.ts'
import { type StoredWebhook, webhookOf } from '../events/webhooks/webhook.ts'
import type { Model } from '../model/model.ts'
import { compile } from '../store/compile.ts'
import type { Change } from '../store/migration/plan/change.ts'
import { sql } from '../store/sql.ts'
import type { Transaction } from '../store/store.ts'
import { migratedPermissions } from './roles/migrate-permissions.ts'

/** In the transaction that changes the model. */
export async function migrateWebhooks(
  transaction: Transaction,
  changes: readonly Change[],
  next: Model,
): Promise<void> {
  const { dialect } = transaction
  if (!changes.some(({ kind }) => kind === 'renameType' || kind === 'renameAttribute')) return
  const [exists] = await transaction.all(compile(dialect, dialect.hasTable(WEBHOOKS)))
  if (!exists) return
  const rows = await transaction.all(compile(dialect, sql`select * from ${webhooks} where types is not null`))
  for (const webhook of rows.map(webhookOf)) {
    const { types, filters } = renamed(webhook, changes, next)
    const update = sql`update ${webhooks} set types = ${JSON.stringify(types)},
      filters = ${filters === null ? null : JSON.stringify(filters)} where id = ${webhook.id}`
    transaction.run(compile(dialect, update))
  }
  transaction.touch(WEBHOOKS)
}

function renamed({ types, filters }: StoredWebhook, changes: readonly Change[], next: Model) {
  const followed = (types ?? []).map((uid) => {
    const find = filters ? { action: 'find', filters } : 'find'
    // Without an entry the content-type is dropped; its uid stays, because no uid at all would mean every one.
    const [entry = [uid, []] as const] = Object.entries(migratedPermissions({ [uid]: [find] }, changes, next))
    const [now, [permission]] = entry
    return { uid: now, filters: typeof permission === 'object' ? (permission.filters ?? null) : null }
  })
  // The filters fit all of the content-types, so their attributes have the same names in each.
  const changed = followed.find((one) => one.filters !== null)
  return { types: followed.map(({ uid }) => uid), filters: changed?.filters ?? filters }
}
