/**
 * Makes the next deliveries of a webhook from the events after its position, a few at a time, so that thousands of events
 * wait in their own table and not in one for each webhook. A message is stored once for all webhooks that receive it.
 */
import type { TakenJob } from '../../jobs/job.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import type { StoredEvent } from '../event.ts'
import { addNotice } from '../notices/notices.ts'
import { readEventsAfter } from '../outbox/read-events.ts'
import { type NewMessage, readStoredMessages, storeDeliveries } from './deliveries.ts'
import { webhooks } from './tables.ts'
import { receives, type StoredWebhook } from './webhook.ts'

/** Reads the documents that events are about. */
export interface EventReader {
  /** The body of the message about an event. */
  bodyOf(event: StoredEvent): Promise<string>
  /** The same without the document. */
  bodyWithoutDocument(event: StoredEvent): string
  /** Whether filters cover the document of an event, or covered it before it was removed. */
  isCovered(event: StoredEvent, filters: Readonly<Record<string, unknown>>): Promise<boolean>
  /** Why the filters of a webhook do not fit the model; null if they do. */
  filterProblem(webhook: StoredWebhook): string | null
}

export interface MakeOptions {
  readonly store: Store
  readonly reader: EventReader
  /** Called when a document could not be read repeatedly, and its event is delivered without it. */
  readonly onUnreadable: (event: StoredEvent, error: unknown) => void
}

/** Makes deliveries; returns whether there were events. */
export type MakeDeliveries = (job: TakenJob, webhook: StoredWebhook) => Promise<boolean>

/** Deliveries made at a time, and events read at a time if the webhook receives only some of them. */
const MAX_MADE = 20
const MAX_READ = 500
/** A document that cannot be read, such as when a hook of the project throws, does not hold up the others for longer. */
const MAX_FAILED_READS = 4

export function createMakeDeliveries({ store, reader, onUnreadable }: MakeOptions): MakeDeliveries {
  /** Reads a document; after several failures, goes on without it. */
  async function read<Result>(
    job: TakenJob,
    event: StoredEvent,
    work: () => Promise<Result>,
    otherwise: () => Result,
  ): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (job.attempt <= MAX_FAILED_READS) throw error
      onUnreadable(event, error)
      return otherwise()
    }
  }

  async function isReceived(job: TakenJob, event: StoredEvent, webhook: StoredWebhook): Promise<boolean> {
    const { filters } = webhook
    if (!receives(webhook, event)) return false
    return filters
      ? read(
          job,
          event,
          () => reader.isCovered(event, filters),
          () => false,
        )
      : true
  }

  /** The first events that the webhook receives, and the last one that was considered. */
  async function select(job: TakenJob, webhook: StoredWebhook, events: readonly StoredEvent[]) {
    const received: StoredEvent[] = []
    let last = webhook.position
    for (const event of events) {
      if (received.length >= MAX_MADE) break
      if (await isReceived(job, event, webhook)) received.push(event)
      last = event.seq
    }
    return { received, last }
  }

  /** Leaves out the body of a message that is stored already. */
  async function messagesFor(job: TakenJob, events: readonly StoredEvent[]): Promise<NewMessage[]> {
    const stored = await readStoredMessages(store, events)
    return Promise.all(
      events.map(async (event) => ({
        event,
        body: stored.has(event.seq)
          ? null
          : await read(
              job,
              event,
              () => reader.bodyOf(event),
              () => reader.bodyWithoutDocument(event),
            ),
      })),
    )
  }

  return async (job, webhook) => {
    const { id, name, position, events: names, types } = webhook
    const limit = names || types ? MAX_READ : MAX_MADE
    const events = await readEventsAfter(store, position, limit)
    const [first] = events
    if (!first) return false
    const { received, last } = await select(job, webhook, events)
    const messages = await messagesFor(job, received)
    const missed = first.seq - position - 1
    await store.write(async (transaction) => {
      // Nothing is made if the webhook was turned on again meanwhile, which moves its position.
      const advance = sql`update ${webhooks} set position = ${last} where id = ${id}
        and position = ${position} returning id`
      if ((await transaction.all(compile(store.dialect, advance))).length === 0) return
      await storeDeliveries(transaction, id, messages)
      if (missed > 0)
        addNotice(transaction, {
          kind: 'webhook.missedEvents',
          message: `The webhook ${name} has missed ${missed} events: they were deleted before they could be delivered (events.keepDays, events.maxEvents).`,
          details: { webhook: { id, name }, missed },
        })
    })
    return true
  }
}
