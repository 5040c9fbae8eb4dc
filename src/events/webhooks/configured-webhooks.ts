/** Webhooks of the configuration: synchronizes the stored ones. */
import { isDeepStrictEqual } from 'node:util'
import type { Store } from '../../store/store.ts'
import { readRange } from '../outbox/read-events.ts'
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

/**
 * Stores the webhooks of the configuration, and removes those that it no longer has. One that the server has turned off
 * stays off until its configuration changes or someone turns it on.
 */
export async function applyConfiguredWebhooks(
  store: Store,
  configured: readonly ConfiguredWebhook[],
): Promise<void> {
  if (areApplied(configured, await readWebhooks(store))) return
  const { newest } = await readRange(store)
  await changeWebhooks(store, async (transaction, existing) => {
    const byName = new Map(existing.map((webhook) => [webhook.name, webhook]))
    for (const webhook of existing)
      if (webhook.source === 'config' && !configured.some(({ settings }) => settings.name === webhook.name))
        deleteWebhook(transaction, webhook)
    for (const { settings, secret } of configured) {
      const stored = byName.get(settings.name)
      const isOurs = stored?.source === 'config'
      if (stored && !isOurs) deleteWebhook(transaction, stored)
      if (!stored || !isOurs)
        await insertWebhook(transaction, settings, { secret, source: 'config', position: newest })
      else if (!isApplied({ settings, secret }, stored)) {
        await updateWebhook(transaction, stored, settings, newest)
        if (stored.secret !== secret) setSecret(transaction, stored.id, secret)
      }
    }
  })
}

function areApplied(configured: readonly ConfiguredWebhook[], stored: readonly StoredWebhook[]): boolean {
  const ours = stored.filter(({ source }) => source === 'config')
  return (
    ours.length === configured.length &&
    configured.every((one) => {
      const webhook = ours.find(({ name }) => name === one.settings.name)
      return webhook !== undefined && isApplied(one, webhook)
    })
  )
}

function isApplied({ settings, secret }: ConfiguredWebhook, stored: StoredWebhook): boolean {
  const { name, url, events, types, filters, headers } = stored
  const enabled = stored.disabledReason === null ? stored.enabled : settings.enabled
  return (
    secret === stored.secret &&
    isDeepStrictEqual(settings, { name, url, events, types, filters, headers, enabled })
  )
}
