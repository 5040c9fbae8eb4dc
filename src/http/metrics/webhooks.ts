/** Metrics of the deliveries to webhooks. */
import type { DeliveryStats } from '../../events/webhooks/deliver.ts'
import { counter, gauge, type MetricFamily, unlabelled } from './prometheus.ts'

/** Of one process. */
export const webhookAttemptFamilies = (stats: DeliveryStats | null): readonly MetricFamily[] =>
  stats === null
    ? []
    : [
        counter('octavo_webhook_attempts_total', 'Attempts to deliver an event to a webhook.', [
          { labels: { outcome: 'succeeded' }, value: stats.succeeded },
          { labels: { outcome: 'failed' }, value: stats.failed },
        ]),
      ]

/** Of the whole database. */
export const webhookWaitingFamilies = (waiting: number): readonly MetricFamily[] => [
  gauge(
    'octavo_webhook_deliveries_waiting',
    'Deliveries that wait to be sent, or to be tried again.',
    unlabelled(waiting),
  ),
]
