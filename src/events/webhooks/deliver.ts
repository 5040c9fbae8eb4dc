/**
 * Makes deliveries from events, and sends those of a webhook that are due. There is one job for each webhook, so that a slow receiver holds up no
 * other, and one process sends them at a time.
 */
import { limitConcurrency } from '../../concurrency-limit.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { JobKind, TakenJob } from '../../jobs/job.ts'
import type { Store } from '../../store/store.ts'
import { createAttemptRecorder } from './attempt-recorder.ts'
import { type DueDelivery, hasOnlyFailedSince, nextDueIn, readDue } from './deliveries.ts'
import type { MakeDeliveries } from './make-deliveries.ts'
import { createPace } from './sending/pace.ts'
import { pauseAfter } from './sending/retry-schedule.ts'
import type { Outcome, Sender } from './sending/send.ts'
import { signedHeaders } from './sending/signature.ts'
import { DELIVER, WEBHOOKS } from './tables.ts'
import { type StoredWebhook, secretsAt } from './webhook.ts'
import { readWebhook, turnOff } from './webhooks.ts'

export type TurnedOff = (webhook: StoredWebhook, reason: string) => void

export interface DeliveryOptions {
  readonly store: Store
  readonly sender: Sender
  /** Headers that depend on the event. */
  readonly eventHeaders: (event: string) => Readonly<Record<string, string>>
  readonly maxPerSecond: number
  /** Where deliveries come from; null to send only what is given. */
  readonly source: DeliverySource | null
  /** Called when a webhook was turned off because of its receiver. */
  readonly onTurnedOff: TurnedOff
}

export interface DeliverySource {
  readonly make: MakeDeliveries
  /** Why the filters of a webhook do not fit the model; null if they do. */
  filterProblem(webhook: StoredWebhook): string | null
}

export interface Deliveries {
  readonly kind: JobKind
  /** Counts since the start of the process. */
  readonly stats: DeliveryStats
  /** Sends one delivery once, and records the attempt without trying it again. Null if nothing is known. */
  sendOnce(webhook: StoredWebhook, delivery: DueDelivery): Promise<Outcome | null>
  /** Begins to send nothing more. */
  stop(): void
}

export interface DeliveryStats {
  succeeded: number
  failed: number
}

/** A job whose process was killed is continued by another after this time. */
const LEASE_MS = 30_000
const BATCH = 20
/** Requests to one receiver at a time. */
const MAX_CONCURRENT = 4
const LONGEST_PAUSE_MS = 60_000
const GONE = 410

export function createDeliveries(options: DeliveryOptions): Deliveries {
  const { store, sender, source, eventHeaders, onTurnedOff } = options
  const pace = createPace(options.maxPerSecond)
  const record = createAttemptRecorder(store, pace)
  const stats: DeliveryStats = { succeeded: 0, failed: 0 }
  let isStopped = false

  async function attempt(webhook: StoredWebhook, { messageId, event, body }: DueDelivery) {
    const now = new Date()
    const outcome = await sender.send({
      url: webhook.url,
      body,
      headers: {
        ...webhook.headers,
        'content-type': 'application/json',
        'user-agent': 'Octavo-Webhooks',
        ...eventHeaders(event),
        ...signedHeaders(messageId, body, secretsAt(webhook, now.toISOString()), now.getTime()),
      },
    })
    if (outcome) stats[outcome.error === null ? 'succeeded' : 'failed']++
    return outcome
  }

  async function deliver(webhook: StoredWebhook, delivery: DueDelivery): Promise<void> {
    await pace.next()
    if (isStopped) return
    const outcome = await attempt(webhook, delivery)
    if (!outcome) return
    const isSuccess = outcome.error === null
    const pause = isSuccess ? null : pauseAfter(delivery.attempts + 1, outcome.retryAfterMs)
    const nextAt = pause === null ? null : new Date(Date.now() + pause).toISOString()
    const recorded = { webhookId: webhook.id, deliveryId: delivery.id, outcome, nextAt }
    await record(recorded)
    if (outcome.status === GONE) await turnOffAndReport(webhook, 'The receiver responded with 410 (Gone)')
    else if (!isSuccess && nextAt === null && (await hasOnlyFailedSince(store, recorded)))
      await turnOffAndReport(webhook, `All attempts have failed; the last error: ${outcome.error}`)
  }

  async function turnOffAndReport(webhook: StoredWebhook, reason: string): Promise<void> {
    if (await turnOff(store, webhook, reason)) onTurnedOff(webhook, reason)
  }

  /** Ends the job, or makes it due when the next delivery is. None is made due meanwhile. */
  async function end(job: TakenJob, webhookId: number, isEnabled: boolean): Promise<void> {
    await store.write(async (transaction) => {
      transaction.lock([WEBHOOKS])
      await job.completeIn(transaction)
      const due = isEnabled ? await nextDueIn(transaction, webhookId) : null
      if (due !== null) enqueue(transaction, { kind: DELIVER, key: String(webhookId), runAt: new Date(due) })
    })
  }

  /** Makes the next deliveries; returns whether there may be more. */
  async function makeNext(job: TakenJob, webhook: StoredWebhook): Promise<boolean> {
    if (!source) return false
    const problem = source.filterProblem(webhook)
    // Without its filters, the webhook would receive what it should not.
    if (problem !== null) await turnOffAndReport(webhook, problem)
    else await pace.next()
    return problem === null && source.make(job, webhook)
  }

  async function run(job: TakenJob): Promise<void> {
    const id = Number(job.key)
    const limit = limitConcurrency(MAX_CONCURRENT)
    for (;;) {
      const webhook = await readWebhook(store, id)
      if (!webhook?.enabled || isStopped) return end(job, id, webhook?.enabled === true)
      const due = await readDue(store, id, new Date().toISOString(), BATCH)
      if (due.length > 0) await Promise.all(due.map((delivery) => limit(() => deliver(webhook, delivery))))
      else if (!(await makeNext(job, webhook))) return end(job, id, true)
    }
  }

  return {
    stats,
    kind: {
      kind: DELIVER,
      leaseMs: LEASE_MS,
      retryAfter: (failed) => Math.min(1_000 * 2 ** failed, LONGEST_PAUSE_MS),
      run,
    },
    async sendOnce(webhook, delivery) {
      const outcome = await attempt(webhook, delivery)
      if (outcome) await record({ webhookId: webhook.id, deliveryId: delivery.id, outcome, nextAt: null })
      return outcome
    },
    stop() {
      isStopped = true
      pace.stop()
    },
  }
}
