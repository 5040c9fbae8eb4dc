/** The webhooks of an export. They arrive switched off: their receivers still get the events of the Strapi server. */
import { messageOf } from '../../errors.ts'
import type { EVENT_NAMES } from '../../events/event.ts'
import { hasWebhooks } from '../../events/sinks.ts'
import { newSecret } from '../../events/webhooks/sending/signature.ts'
import { WEBHOOKS } from '../../events/webhooks/tables.ts'
import type { WebhookSettings } from '../../events/webhooks/webhook.ts'
import { insertWebhook, readWebhooks } from '../../events/webhooks/webhooks.ts'
import { parseNewWebhook } from '../../http/webhooks/parse-webhook.ts'
import type { Project } from '../../model/load-project.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { Overview } from './overview.ts'
import type { Report } from './report.ts'

/** Our names of Strapi's events. */
const EVENTS: Readonly<Record<string, (typeof EVENT_NAMES)[number]>> = {
  'entry.create': 'document.create',
  'entry.update': 'document.update',
  'entry.delete': 'document.delete',
  'entry.publish': 'document.publish',
  'entry.unpublish': 'document.unpublish',
  'entry.draft-discard': 'document.discard',
  'media.create': 'file.upload',
  'media.update': 'file.update',
  'media.delete': 'file.delete',
}

/** The webhooks that can be imported; others, and events without a counterpart, are reported. */
export function importedWebhooks(
  { webhooks }: Overview,
  { config, model }: Pick<Project, 'config' | 'model'>,
  report: Report,
): WebhookSettings[] {
  if (!hasWebhooks(config)) {
    if (webhooks.length > 0) report.add('webhook', 'webhooks are switched off here', webhooks.length)
    return []
  }
  const names = new Set<string>()
  const imported = webhooks.flatMap(({ name, url, headers, events }) => {
    const known = (Array.isArray(events) ? events : []).map((event) => EVENTS[String(event)])
    const ours = known.filter((event) => event !== undefined)
    if (ours.length < known.length)
      report.add(`event of the webhook ${name}`, 'there is no such event here', known.length - ours.length)
    // No events would mean all of them.
    if (ours.length === 0) {
      report.add(`webhook ${name}`, 'it has no event that exists here')
      return []
    }
    if (names.has(String(name))) {
      report.add(`webhook ${name}`, 'another one has the same name')
      return []
    }
    names.add(String(name))
    try {
      const body = { name, url, headers: headers ?? {}, events: ours, enabled: false }
      return [parseNewWebhook({ model, bounds: config.api.rest.bounds }, body)]
    } catch (failure) {
      report.add(`webhook ${name}`, messageOf(failure))
      return []
    }
  })
  if (imported.length > 0)
    report.note(
      `Webhooks: ${imported.map(({ name }) => name).join(', ')}. They are switched off, because their receivers get the events of Strapi too: enable them when you switch.`,
    )
  return imported
}

/** Adds the webhooks to those that the database has; one with a name that is taken stays as it is. */
export async function writeWebhooks(
  transaction: Transaction,
  store: Store,
  webhooks: readonly WebhookSettings[],
): Promise<void> {
  if (webhooks.length === 0) return
  transaction.touch(WEBHOOKS)
  const taken = new Set((await readWebhooks(store)).map(({ name }) => name))
  for (const settings of webhooks)
    if (!taken.has(settings.name))
      await insertWebhook(transaction, settings, { secret: newSecret(), source: 'made', position: 0 })
}
