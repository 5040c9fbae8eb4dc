/** Deliveries as the configuration describes them: addresses that are allowed, timeouts, and the form of messages. */
import type { Config } from '../../project/config/config.ts'
import type { Store } from '../../store/store.ts'
import { createDeliveries, type Deliveries, type DeliverySource, type TurnedOff } from './deliver.ts'
import { storeSample } from './deliveries.ts'
import { type ListedDelivery, readDelivery } from './delivery-list.ts'
import { strapiEventOf, strapiTestBody, TEST_EVENT, testBody } from './message-body.ts'
import { createAddressRules } from './sending/address-rules.ts'
import { createSender } from './sending/send.ts'
import type { StoredWebhook } from './webhook.ts'

export interface OpenDeliveries extends Deliveries {
  /** Sends a sample once, even to a webhook that is off, and returns what happened. */
  sendTest(webhook: StoredWebhook): Promise<ListedDelivery>
  /** Aborts what is being sent; it is sent again later. */
  abort(): void
}

export function openDeliveries(
  store: Store,
  { webhooks, api }: Pick<Config, 'webhooks' | 'api'>,
  onTurnedOff: TurnedOff,
  source: DeliverySource | null = null,
): OpenDeliveries {
  const isStrapi = api.rest.compat === 'strapi'
  const sender = createSender({
    rules: createAddressRules(webhooks.allow),
    timeoutMs: webhooks.timeoutSeconds * 1000,
  })
  const sending = createDeliveries({
    ...{ store, sender, source, onTurnedOff },
    maxPerSecond: webhooks.maxPerSecond,
    eventHeaders: (event) => (isStrapi ? { 'x-strapi-event': strapiEventOf(event) } : {}),
  })
  return {
    ...sending,
    async sendTest(webhook) {
      const now = new Date().toISOString()
      const body = isStrapi ? strapiTestBody(now) : testBody(webhook.name, now)
      const sample = await storeSample(store, webhook.id, TEST_EVENT, body)
      await sending.sendOnce(webhook, sample)
      return readDelivery(store, sample.id)
    },
    abort: sender.close,
  }
}
