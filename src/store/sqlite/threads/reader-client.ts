/** The main thread's side of a reader thread. The thread starts when it is first needed, and again after it has died. */
import { errors, messageOf } from '../../../errors.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { INTERRUPT, ReaderFailure } from '../failures.ts'
import type { ReaderData, ReaderReply, ReaderRequest, ReaderResult } from './reader-thread.ts'
import { startThread, type Thread } from './thread.ts'

export interface ReaderClient {
  /** Starts the thread if needed. False when there is none: it could not start, or has just died. */
  ready(): MaybePromise<boolean>
  /** Whether the thread runs. */
  readonly isRunning: boolean
  /** The number of reads that run or wait. */
  readonly waiting: number
  /** The microseconds that they are expected to take. */
  readonly backlog: number
  /**
   * Reads in the thread; `expectedTime` is in microseconds. No other read waits for the reply to a slow one. Rejects with
   * a ReaderFailure when the statement fails.
   */
  read(request: ReaderRequest, expectedTime: number, isSlow: boolean): Promise<ReaderResult>
  close(): Promise<void>
}

/** Threads whose read was abandoned. They go on until SQLite has finished the statement. */
export interface AbandonedThreads {
  count: number
}

/** The milliseconds before another thread is started after one has died or could not start. */
const RESTART_DELAY = 10_000
/** Milliseconds after its time limit at which a read is abandoned. A plan ends itself before that. */
const GRACE = 500
/** A longer timer would fire immediately. */
const MAX_TIMER = 2 ** 31 - 1

export function createReaderClient(
  data: ReaderData,
  abandoned: AbandonedThreads,
  notice: (message: string) => void,
): ReaderClient {
  let thread: Thread<ReaderRequest, ReaderReply> | null = null
  let starting: Promise<boolean> | null = null
  let canStartAt = 0
  let waiting = 0
  let backlog = 0

  function onDied(cause: unknown) {
    thread = null
    starting = null
    canStartAt = performance.now() + RESTART_DELAY
    notice(`A reader thread has stopped: ${messageOf(cause)}`)
    return false
  }

  function abandonRead() {
    if (!thread || waiting === 0) return
    abandoned.count++
    const onEnded = () => abandoned.count--
    const failure = { message: 'The read was abandoned', code: INTERRUPT }
    thread.abandon(new ReaderFailure(failure)).then(onEnded, onEnded)
    notice(`A read was abandoned after ${timerDelay} ms`)
    thread = null
    starting = null
  }

  // One timer for all reads, restarted with each reply.
  let timer: NodeJS.Timeout | null = null
  let timerDelay = 0
  function startTimer(milliseconds: number) {
    const delay = Math.min(milliseconds + GRACE, MAX_TIMER)
    if (timer && delay === timerDelay) return void timer.refresh()
    if (timer) clearTimeout(timer)
    timerDelay = delay
    timer = setTimeout(abandonRead, delay).unref()
  }

  return {
    ready() {
      if (thread) return true
      if (performance.now() < canStartAt) return false
      const options = { name: 'reader', entry: 'reader-thread', data, onDied }
      starting ??= startThread<ReaderRequest, ReaderReply>(options).then((started) => {
        thread = started
        return true
      }, onDied)
      return starting
    },
    get isRunning() {
      return thread !== null
    },
    get waiting() {
      return waiting
    },
    get backlog() {
      return backlog
    },
    async read(request, expectedTime, isSlow) {
      if (!thread) throw errors.unavailable(1, 'The reader thread has stopped')
      if (waiting === 0) startTimer(request.milliseconds)
      waiting++
      backlog += expectedTime
      try {
        const reply = await thread.request(request, isSlow)
        if ('failure' in reply) throw new ReaderFailure(reply.failure)
        return reply
      } finally {
        waiting--
        backlog -= expectedTime
        timer?.refresh()
      }
    },
    async close() {
      if (timer) clearTimeout(timer)
      canStartAt = Number.POSITIVE_INFINITY
      await starting
      await thread?.close()
    },
  }
}
