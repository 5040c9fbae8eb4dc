/** The main thread's side of the reader thread. The thread starts with the first slow read, and again after it has died. */
import { errors, messageOf } from '../../../errors.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import type { Pool } from '../../store.ts'
import { translate } from '../failures.ts'
import type { ReaderReply, ReaderRequest, ReaderResult } from './reader-thread.ts'
import { startThread, type Thread } from './thread.ts'

export interface ReaderClientOptions {
  /** How many reads may wait for the thread, and for how many milliseconds; more are refused. */
  readonly maxWaiting: number
  readonly waitTimeout: number
  /** The milliseconds after which a read is abandoned; 0 for never. */
  readonly statementTimeout: number
  /** Logs a message for the operator. */
  readonly notice: (message: string) => void
}

export interface ReaderClient {
  /** Starts the thread if needed. False when there is none: it could not start, or has just died. Throws when it is overloaded. */
  ready(): MaybePromise<boolean>
  /** Whether the thread can take a read that could also run elsewhere. Starts the thread if needed, without waiting for it. */
  canTakeMore(): boolean
  /** Whether reads are waiting for the thread. */
  isBusy(): boolean
  /** Reads in the thread; `expectedTime` is in microseconds. No other read waits for the reply to a slow one. */
  read(request: ReaderRequest, expectedTime: number, isSlow: boolean): Promise<ReaderResult>
  pools(): readonly Pool[]
  close(): Promise<void>
}

/** The milliseconds before another thread is started after one has died or could not start. */
const RESTART_DELAY = 10_000
/** A thread whose read is abandoned goes on until SQLite has finished it. With this many of them, no other is started. */
const MAX_ABANDONED = 2
/** With so many microseconds of reads waiting, a read that could also run elsewhere should. */
const MAX_SHARED_BACKLOG = 10_000

export function createReaderClient(
  path: string,
  { maxWaiting, waitTimeout, statementTimeout, notice }: ReaderClientOptions,
): ReaderClient {
  let thread: Thread<ReaderRequest, ReaderReply> | null = null
  let starting: Promise<boolean> | null = null
  let canStartAt = 0
  let waiting = 0
  /** The microseconds that the reads in the thread are expected to take. */
  let backlog = 0
  let abandoned = 0

  function onDied(cause: unknown) {
    thread = null
    starting = null
    canStartAt = performance.now() + RESTART_DELAY
    notice(`The reader thread has stopped: ${messageOf(cause)}`)
    return false
  }

  function start(): MaybePromise<boolean> {
    if (performance.now() < canStartAt) return false
    const options = { name: 'reader', entry: 'reader-thread', data: { path }, onDied }
    starting ??= startThread<ReaderRequest, ReaderReply>(options).then((started) => {
      thread = started
      return true
    }, onDied)
    return starting
  }

  function abandonRead() {
    if (!thread || waiting === 0) return
    abandoned++
    const onEnded = () => abandoned--
    thread.abandon(errors.unavailable(1, 'The read took too long')).then(onEnded, onEnded)
    notice(`A read was abandoned after ${statementTimeout} ms`)
    thread = null
    starting = null
  }
  // One timer for all reads, restarted with each reply.
  const timer = statementTimeout > 0 ? setTimeout(abandonRead, statementTimeout).unref() : null

  return {
    ready() {
      if (waiting >= maxWaiting || backlog > waitTimeout * 1000)
        throw errors.unavailable(1, 'Too many reads are waiting')
      if (thread) return true
      if (abandoned >= MAX_ABANDONED) throw errors.unavailable(5, 'Too many reads take too long')
      return start()
    },
    canTakeMore() {
      if (thread) return backlog < MAX_SHARED_BACKLOG
      if (abandoned < MAX_ABANDONED) void start()
      return false
    },
    isBusy: () => waiting > 0,
    async read(request, expectedTime, isSlow) {
      if (!thread) throw errors.unavailable(1, 'The reader thread has stopped')
      if (waiting === 0) timer?.refresh()
      waiting++
      backlog += expectedTime
      try {
        const reply = await thread.request(request, isSlow)
        if ('failure' in reply) throw translate(reply.failure)
        return reply
      } finally {
        waiting--
        backlog -= expectedTime
        timer?.refresh()
      }
    },
    pools: () => (thread ? [{ name: 'reader', size: 1, idle: waiting > 0 ? 0 : 1, waiting }] : []),
    async close() {
      if (timer) clearTimeout(timer)
      canStartAt = Number.POSITIVE_INFINITY
      await starting
      await thread?.close()
    },
  }
}
