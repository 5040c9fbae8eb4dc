/** Webhooks of the configuration: synchronizes the stored ones. */
import { isDeepStrictEqual } from 'node:util'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Row } from '../../store/statement.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { readRange } from '../outbox/read-events.ts'
import { configuredWebhooks } from './tables.ts'
import type { StoredWebhook, WebhookSettings } from './webhook.ts'
import {
  changeWebhooks,
  deleteWebhook,
  insertWebhook,
  readWebhooks,
  setSecret,
  updateWebhook,
} from './webhooks.ts'

export interface ConfiguredWebhook {
  readonly settings: WebhookSettings
  readonly secret: string
}

/** What the configuration said about `enabled` when it was applied last, by name. */
type AppliedEnabled = ReadonlyMap<string, boolean>

/**
 * Stores the webhooks of the configuration, and removes those that it no longer has. One that was turned off, by the server
 * or by a person, stays off until its configuration changes or someone turns it on.
 */
export async function applyConfiguredWebhooks(
  store: Store,
  configured: readonly ConfiguredWebhook[],
): Promise<void> {
  const read = compile(store.dialect, sql`select name, enabled from ${configuredWebhooks}`)
  if (areApplied(configured, await readWebhooks(store), appliedIn(await store.read(read)))) return
  const { newest } = await readRange(store)
  await changeWebhooks(store, async (transaction, existing) => {
    const applied = appliedIn(await transaction.all(read))
    const byName = new Map(existing.map((webhook) => [webhook.name, webhook]))
    for (const webhook of existing)
      if (webhook.source === 'config' && !configured.some(({ settings }) => settings.name === webhook.name))
        deleteWebhook(transaction, webhook)
    for (const one of configured) {
      const { settings, secret } = one
      const stored = byName.get(settings.name)
      const isOurs = stored?.source === 'config'
      if (stored && !isOurs) deleteWebhook(transaction, stored)
      if (!stored || !isOurs)
        await insertWebhook(transaction, settings, { secret, source: 'config', position: newest })
      else if (!isApplied(one, stored, applied)) {
        await updateWebhook(transaction, stored, settings, newest)
        if (stored.secret !== secret) setSecret(transaction, stored.id, secret)
      }
    }
    rememberApplied(transaction, configured)
  })
}

const appliedIn = (rows: readonly Row[]): AppliedEnabled =>
  new Map(rows.map(({ name, enabled }) => [String(name), Number(enabled) === 1]))

function rememberApplied(transaction: Transaction, configured: readonly ConfiguredWebhook[]): void {
  const run = (statement: Sql) => transaction.run(compile(transaction.dialect, statement))
  run(sql`delete from ${configuredWebhooks}`)
  for (const { settings } of configured)
    run(sql`insert into ${configuredWebhooks} (name, enabled)
      values (${settings.name}, ${settings.enabled ? 1 : 0})`)
}

function areApplied(
  configured: readonly ConfiguredWebhook[],
  stored: readonly StoredWebhook[],
  applied: AppliedEnabled,
): boolean {
  const ours = stored.filter(({ source }) => source === 'config')
  return (
    ours.length === configured.length &&
    applied.size === configured.length &&
    configured.every((one) => {
      const webhook = ours.find(({ name }) => name === one.settings.name)
      return webhook !== undefined && isApplied(one, webhook, applied)
    })
  )
}

function isApplied(
  { settings, secret }: ConfiguredWebhook,
  stored: StoredWebhook,
  applied: AppliedEnabled,
): boolean {
  const { name, url, events, types, filters, headers } = stored
  const { enabled } = settings
  return (
    secret === stored.secret &&
    (applied.get(name) ?? enabled) === enabled &&
    isDeepStrictEqual(settings, { name, url, events, types, filters, headers, enabled })
  )
}
