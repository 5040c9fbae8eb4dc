/**
 * The live feed: sends events to the open streams of this process. Events come from the database, so it does not matter
 * which process has made the change. All streams at the same position share what is read. A stream that cannot receive an
 * event yet continues on its own, so that the others do not wait for it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { limitConcurrency } from '../../concurrency-limit.ts'
import { ApiError } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import { readEventsAfter, readRange } from '../../events/outbox/read-events.ts'
import type { Scope } from '../../query/scope.ts'
import { visibleAuthor } from '../auth/visible-author.ts'
import type { Server } from '../server.ts'
import { type FeedFilter, type FeedParameters, isSelected } from './parameters.ts'
import type { EventStream } from './stream.ts'
import { type PresentFile, visibleEvent } from './visible-event.ts'

export interface Feed {
  readonly size: number
  /** Sends events to a stream until it ends. */
  add(stream: EventStream, parameters: FeedParameters, authorization: string | undefined): Promise<void>
  /** Ends all streams. */
  close(): void
}

export interface FeedOptions {
  readonly server: Server
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  readonly heartbeatMs: number
  readonly presentFile: PresentFile
}

interface Subscriber {
  readonly stream: EventStream
  readonly filter: FeedFilter
  readonly authorization: string | undefined
  /** The last event that was sent or skipped. */
  position: number
  /** How often the event after it could not be read. */
  failures: number
}

/** How often it is checked, in memory, whether anything was written. */
const CHECK_MS = 100
/** How often the database is read in any case: a notification of another process may be lost. */
const MAX_WAIT_MS = 3_000
/** How often credentials are checked. */
const CREDENTIAL_CHECK_MS = 1_000
const BATCH = 500
const MAX_CONCURRENT = 16
/** An event that cannot be read, such as when a hook of the project throws, is read again after this time. */
const RETRY_MS = 1_000
const MAX_FAILED_READS = 4
const UNAVAILABLE = 503

/** The events as one group of callers sees them. */
type Visible = (event: StoredEvent, subscriber: Subscriber) => Promise<string | null>

export function createFeed({ server, log, heartbeatMs, presentFile }: FeedOptions): Feed {
  const { store } = server
  const subscribers = new Set<Subscriber>()
  const limit = limitConcurrency(MAX_CONCURRENT)
  let closed = false
  /** All events up to this one have been sent to the subscribers. */
  let head = 0
  let knownVersion = -1
  let lastRead = 0
  let pumping: Promise<void> | null = null

  /**
   * Callers with the same permissions may know the same of an event, except of its author. Policies and hooks of the project
   * may also distinguish who the caller is.
   */
  function keyFor(scope: Scope, { seq, author }: StoredEvent, includesDocument: boolean): string {
    const { policies, find } = server.extension
    const caller = policies || find ? scope.principal : null
    return JSON.stringify([seq, includesDocument, scope.key, visibleAuthor(scope, author), caller])
  }

  /** Reads what a caller may know of an event once for all callers who may know the same. */
  function sharedReads(): Visible {
    const known = new Map<string, Promise<string | null>>()
    return async (event, { authorization, filter: { includesDocument } }) => {
      const scope = await server.access.scopeOf(authorization)
      const key = keyFor(scope, event, includesDocument)
      const read =
        known.get(key) ?? limit(() => visibleEvent(server, scope, event, includesDocument, presentFile))
      known.set(key, read)
      return read
    }
  }

  /** Sends events in order, until the client has left too much unread or one cannot be read. */
  async function deliver(subscriber: Subscriber, events: readonly StoredEvent[], visible: Visible) {
    const { stream, filter } = subscriber
    for (const event of events) {
      if (!stream.isOpen || stream.isBehind) return
      // Numbers have no gaps: retention has deleted what is missing.
      if (event.seq > subscriber.position + 1) skipTo(subscriber, event.seq - 1)
      try {
        const json = isSelected(filter, event) ? await visible(event, subscriber) : null
        if (json !== null) stream.send(event.seq, event.event, json)
      } catch (error) {
        return noteFailure(subscriber, event.seq, error)
      }
      subscriber.position = event.seq
      subscriber.failures = 0
    }
  }

  /**
   * Ends the stream of a credential that is no longer valid, and resets one whose next event could repeatedly not be read.
   * While the database is unavailable, streams wait.
   */
  function noteFailure(subscriber: Subscriber, seq: number, error: unknown) {
    const status = error instanceof ApiError ? error.status : 500
    if (status < 500) return subscriber.stream.end()
    if (status === UNAVAILABLE) subscriber.failures = Math.max(subscriber.failures, 1)
    else if (++subscriber.failures < MAX_FAILED_READS)
      log.warn({ err: error, seq }, 'The live feed could not read an event and will try again')
    else {
      log.error({ err: error, seq }, 'The live feed could not read an event, and has reset a stream')
      reset(subscriber, seq)
    }
  }

  /** Tells the client that it has missed events up to this one. */
  function skipTo(subscriber: Subscriber, seq: number) {
    subscriber.stream.send(seq, 'reset', JSON.stringify({ seq, event: 'reset' }))
    subscriber.position = seq
  }

  /** The same, and ends its stream. */
  function reset(subscriber: Subscriber, seq: number) {
    skipTo(subscriber, seq)
    subscriber.stream.end()
  }

  function removeEnded() {
    for (const subscriber of subscribers) if (!subscriber.stream.isOpen) subscribers.delete(subscriber)
  }

  /** Sends events to every stream that has not received them yet, including those that are added in the meantime. */
  async function deliverToAll(events: readonly StoredEvent[], last: number) {
    const visible = sharedReads()
    for (;;) {
      const waiting = [...subscribers].filter(({ position, stream }) => position < last && stream.isOpen)
      if (waiting.length === 0) return
      await Promise.all(
        waiting.map(async (one) => {
          const pending = events.filter(({ seq }) => seq > one.position)
          await deliver(one, pending, visible)
          if (one.position >= last) return
          subscribers.delete(one)
          void catchUp(one)
        }),
      )
    }
  }

  async function pump() {
    knownVersion = store.globalVersion()
    lastRead = Date.now()
    for (;;) {
      if (subscribers.size === 0) return
      const events = await readEventsAfter(store, head, BATCH)
      const last = events.at(-1)
      if (!last) return
      await deliverToAll(events, last.seq)
      head = last.seq
      removeEnded()
    }
  }

  const checking = setInterval(() => {
    if (subscribers.size === 0 || pumping) return
    if (store.globalVersion() === knownVersion && Date.now() - lastRead < MAX_WAIT_MS) return
    pumping = pump()
      .catch((error: unknown) => log.warn({ err: error }, 'The live feed could not read events'))
      .finally(() => {
        pumping = null
      })
  }, CHECK_MS)
  checking.unref()

  const heartbeat = setInterval(() => {
    for (const { stream, position } of subscribers) stream.sendPosition(position)
    removeEnded()
  }, heartbeatMs)
  heartbeat.unref()

  const credentials = setInterval(() => {
    for (const subscriber of subscribers) {
      // If the database is unavailable, the check is repeated.
      Promise.resolve(server.access.scopeOf(subscriber.authorization)).catch((error: unknown) => {
        if (error instanceof ApiError && error.status < 500) subscriber.stream.end()
      })
    }
  }, CREDENTIAL_CHECK_MS)
  credentials.unref()

  /** Waits until a stream can receive the next event, and returns whether it can. */
  async function isReady(subscriber: Subscriber): Promise<boolean> {
    const { stream, failures, position } = subscriber
    if (failures > 0) await sleep(RETRY_MS, undefined, { ref: false })
    if (stream.isBehind && !(await stream.catchesUp(heartbeatMs))) reset(subscriber, position)
    if (closed) stream.end()
    return stream.isOpen
  }

  /** Sends what a stream has missed, until it is where the others are. */
  async function catchUp(subscriber: Subscriber) {
    while (await isReady(subscriber)) {
      if (subscribers.size === 0 && !pumping) head = subscriber.position
      if (subscriber.position >= head) {
        subscribers.add(subscriber)
        lastRead = 0
        return
      }
      try {
        await deliverMissed(subscriber)
      } catch (error) {
        noteFailure(subscriber, subscriber.position, error)
      }
    }
  }

  async function deliverMissed(subscriber: Subscriber) {
    const missed = await readEventsAfter(store, subscriber.position, BATCH)
    const events = missed.filter(({ seq }) => seq <= head)
    const last = events.at(-1)?.seq ?? head
    if (events.length === 0) skipTo(subscriber, last)
    while (subscriber.position < last && (await isReady(subscriber))) {
      const pending = events.filter(({ seq }) => seq > subscriber.position)
      await deliver(subscriber, pending, sharedReads())
    }
  }

  return {
    get size() {
      return subscribers.size
    },
    async add(stream, { after, ...filter }, authorization) {
      const { oldest, newest } = await readRange(store)
      const isLost = after !== null && (after > newest || after < oldest - 1)
      const subscriber = { stream, filter, authorization, position: after ?? newest, failures: 0 }
      if (isLost) skipTo(subscriber, newest)
      else stream.sendPosition(subscriber.position)
      await catchUp(subscriber)
    },
    close() {
      closed = true
      for (const timer of [checking, heartbeat, credentials]) clearInterval(timer)
      for (const { stream } of subscribers) stream.end()
      subscribers.clear()
    },
  }
}
