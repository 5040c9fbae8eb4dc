/**
 * Makes deliveries from events. Each webhook has a position in the numbered events; a job reads the events after it,
 * decides which webhooks receive them, and stores the deliveries together with the new positions.
 */
import { enqueueUnlessRunning } from '../../jobs/enqueue.ts'
import type { JobKind, TakenJob } from '../../jobs/job.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Store } from '../../store/store.ts'
import type { StoredEvent } from '../event.ts'
import { readEventsAfter } from '../outbox/read-events.ts'
import type { TurnedOff } from './deliver.ts'
import { type NewMessage, storeMessages } from './deliveries.ts'
import { DISPATCH, WEBHOOKS, webhooks } from './tables.ts'
import { receives, type StoredWebhook } from './webhook.ts'
import { readWebhooks, turnOff } from './webhooks.ts'

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

export interface DispatchOptions {
  readonly store: Store
  readonly reader: EventReader
  readonly onTurnedOff: TurnedOff
  /** Called when a document could not be read repeatedly, and its event is delivered without it. */
  readonly onUnreadable: (event: StoredEvent, error: unknown) => void
}

const BATCH = 100
const LEASE_MS = 10_000
const LONGEST_PAUSE_MS = 30_000
/** A document that cannot be read, such as when a hook of the project throws, does not hold up the others for longer. */
const MAX_FAILED_READS = 4

/** Stores the job if an event is new to a webhook; returns whether it is, or null if no webhook is on. */
export async function dispatchIfNeeded(store: Store): Promise<boolean | null> {
  const enabled = (await readWebhooks(store)).filter((webhook) => webhook.enabled)
  if (enabled.length === 0) return null
  if ((await readEventsAfter(store, firstPosition(enabled), 1)).length === 0) return false
  await store.write(async (transaction) => {
    transaction.lock([WEBHOOKS])
    enqueueUnlessRunning(transaction, DISPATCH, '', new Date())
  })
  return true
}

const firstPosition = (enabled: readonly StoredWebhook[]) =>
  Math.min(...enabled.map(({ position }) => position))

export function createDispatch({ store, reader, onTurnedOff, onUnreadable }: DispatchOptions): JobKind {
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

  /** The message about an event with its receivers; null if no webhook receives it. */
  async function messageFor(
    job: TakenJob,
    event: StoredEvent,
    enabled: readonly StoredWebhook[],
  ): Promise<NewMessage | null> {
    const candidates = enabled.filter((one) => one.position < event.seq && receives(one, event))
    const covered = new Map<string, Promise<boolean>>()
    const isCovered = ({ filters }: StoredWebhook) => {
      if (!filters) return true
      const key = JSON.stringify(filters)
      const isKnown = () => reader.isCovered(event, filters)
      const known = covered.get(key) ?? read(job, event, isKnown, () => false)
      covered.set(key, known)
      return known
    }
    const decided = await Promise.all(candidates.map(isCovered))
    const receivers = candidates.filter((_, index) => decided[index]).map(({ id }) => id)
    if (receivers.length === 0) return null
    const bodyOf = () => reader.bodyOf(event)
    const body = await read(job, event, bodyOf, () => reader.bodyWithoutDocument(event))
    return { event, receivers, body }
  }

  /** Filters may no longer fit the model; without them a webhook would receive what it should not. */
  async function turnOffInvalid(enabled: readonly StoredWebhook[]): Promise<StoredWebhook[]> {
    const valid: StoredWebhook[] = []
    for (const webhook of enabled) {
      const problem = reader.filterProblem(webhook)
      if (problem === null) valid.push(webhook)
      else if (await turnOff(store, webhook, problem)) onTurnedOff(webhook, problem)
    }
    return valid
  }

  async function run(job: TakenJob): Promise<void> {
    for (;;) {
      const enabled = await turnOffInvalid((await readWebhooks(store)).filter((one) => one.enabled))
      const events = enabled.length === 0 ? [] : await readEventsAfter(store, firstPosition(enabled), BATCH)
      const last = events.at(-1)
      if (!last) return end(job)
      const found = await Promise.all(events.map((event) => messageFor(job, event, enabled)))
      await store.write(async (transaction) => {
        transaction.lock([WEBHOOKS])
        await storeMessages(
          transaction,
          found.filter((message) => message !== null),
        )
        // Webhooks that were created meanwhile have later positions.
        const advance = sql`update ${webhooks} set position = ${last.seq}
          where position < ${last.seq} and ${store.dialect.inIntegers(sql.id('id'), sql`${idsOf(enabled)}`)}`
        transaction.run(compile(store.dialect, advance))
      })
    }
  }

  /** Events that were written after the last read, while the job was running, store it again. */
  async function end(job: TakenJob): Promise<void> {
    await store.write((transaction) => job.completeIn(transaction))
    await dispatchIfNeeded(store)
  }

  return {
    kind: DISPATCH,
    leaseMs: LEASE_MS,
    retryAfter: (failed) => Math.min(500 * 2 ** failed, LONGEST_PAUSE_MS),
    run,
  }
}

const idsOf = (enabled: readonly StoredWebhook[]) => JSON.stringify(enabled.map(({ id }) => id))
