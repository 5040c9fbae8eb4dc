/**
 * Reads of SQLite. A fast read runs on the main thread, because a message to another thread would take longer than the
 * read. A read that turns out to be slow there is stopped after a few milliseconds, and runs again in a thread for slow
 * reads, as do the following ones of the same statement. So no read blocks the event loop.
 *
 * A read of medium length runs in a thread of its own while other requests wait and there is a second core: on two cores,
 * populating one level is 1.4 times and a filter through relations 1.6 times as fast as without. So does a slow read of
 * some milliseconds, which would otherwise wait for reads of seconds. How long a statement takes is known from its earlier
 * runs.
 */
import { availableParallelism } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { errors } from '../../errors.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { noteSlow, noteTime } from '../reads/expected-time.ts'
import { NO_LIMITS, type ReadLimits } from '../reads/read-limits.ts'
import type { Row, SqlValue, Statement } from '../statement.ts'
import type { Pool, RefusedReads, Store } from '../store.ts'
import { countedTime, runningTime } from './deadline.ts'
import {
  failureOf,
  INTERRUPT,
  ReaderFailure,
  type SqliteFailure,
  TOO_BIG,
  translate,
  translating,
} from './failures.ts'
import { createSelect, type PreparedRead } from './select.ts'
import { createReaderClient } from './threads/reader-client.ts'
import type { ReaderResult } from './threads/reader-thread.ts'
import { createSlowReaders, type SlowReadersOptions } from './threads/slow-readers.ts'

export interface ReadsOptions extends Omit<SlowReadersOptions, 'abandoned'> {
  /** The milliseconds after which a read is stopped, whatever its own limit; 0 for never. */
  readonly statementTimeout: number
  /** Called after a read in a thread, which may have seen newer content than the main thread. */
  readonly onThreadRead: () => void
  /** Whether more requests have arrived than the one that reads. */
  readonly isBusy: () => boolean
  /** Whether this is the only process of the server, so that another core may be free. */
  readonly isOnlyProcess: boolean
  /** The microseconds from which on a read is slow. */
  readonly slowRead?: number
}

export interface Reads {
  readonly rows: (statement: Statement, limits?: ReadLimits) => MaybePromise<readonly Row[]>
  readonly firstRow: Store['readFirstRow']
  /** The number of reads so far. */
  readonly count: number
  readonly refused: RefusedReads
  /** The reader threads, when there are any. */
  pools(): readonly Pool[]
  close(): Promise<void>
}

const SLOW_READ = 2_000
/** The microseconds from which on a read is worth a message to the thread. */
const SHARED_READ = 80
/** A slow read of at most this many microseconds does not wait for a thread that much slower ones use. */
const MEDIUM_READ = 10_000
/** When reads of this many microseconds wait for the shared thread, the next read runs on the main thread. */
const MAX_SHARED_BACKLOG = 10_000
/**
 * The milliseconds after which a read is stopped where others wait for it: at the first run of its statement, when earlier
 * runs were fast, and when there is no thread for slow reads.
 */
const STOPPED_AFTER = { first: 5, fast: 20, alone: 100 }

const STOPPED = Symbol('stopped because it is slow')

/** How a statement is read: all rows, or the first. */
interface ReadMethod<Result> {
  readonly prepare: (sql: string) => PreparedRead<Result>
  readonly isAll: boolean
  readonly resultOf: (result: ReaderResult) => Result
}

export function openReads(path: string, database: DatabaseSync, options: ReadsOptions): Reads {
  const { onThreadRead, isBusy, isOnlyProcess, statementTimeout, slowRead = SLOW_READ } = options
  const canShare = isOnlyProcess && availableParallelism() > 1
  const select = createSelect(database)
  const abandoned = { count: 0 }
  const shared = createReaderClient({ path, hasLowPriority: false }, abandoned, options.notice)
  const slow = createSlowReaders(path, { ...options, abandoned })
  const refused = { time: 0, bytes: 0 }
  const longest = statementTimeout > 0 ? statementTimeout : Infinity
  let count = 0
  let isClosed = false

  function failWith(failure: SqliteFailure, limits: ReadLimits, cause: unknown): Error {
    if (failure.code === INTERRUPT && limits.milliseconds <= longest) {
      refused.time++
      return errors.readTooSlow(limits.milliseconds)
    }
    if (failure.code !== TOO_BIG) return translate(failure, cause)
    refused.bytes++
    return errors.responseTooLarge(limits.bytes)
  }

  /** Reads on the main thread, for at most some milliseconds. */
  function readHere<Result>(
    read: PreparedRead<Result>,
    { parameters }: Statement,
    limits: ReadLimits,
    milliseconds: number,
  ): Result | typeof STOPPED {
    const start = performance.now()
    // Measuring the running time takes half a microsecond, which a read of some microseconds is not worth.
    const ranBefore = read.expectedTime >= SHARED_READ ? runningTime() : null
    try {
      const result = read.read(parameters, { milliseconds, bytes: limits.bytes, isRunningTime: true }, start)
      const passed = (performance.now() - start) * 1000
      noteTime(read, ranBefore === null ? passed : countedTime(runningTime() - ranBefore, passed))
      return result
    } catch (error) {
      const failure = failureOf(error)
      if (failure.code !== INTERRUPT) throw failWith(failure, limits, error)
      noteSlow(read, slowRead)
      return STOPPED
    }
  }

  async function readInThread<Result>(
    method: ReadMethod<Result>,
    read: PreparedRead<Result>,
    statement: Statement,
    limits: ReadLimits,
    isSlow: boolean,
  ): Promise<Result> {
    const milliseconds = isSlow ? Math.min(limits.milliseconds, longest) : STOPPED_AFTER.fast
    const { sql, parameters } = statement
    const { bytes } = limits
    const request = { sql, parameters, isAll: method.isAll, milliseconds, bytes, isRunningTime: !isSlow }
    try {
      const result = await (isSlow
        ? slow.read(request, limits)
        : shared.read(request, read.expectedTime, false))
      if (!result) {
        const alone = readHere(read, statement, limits, Math.min(milliseconds, STOPPED_AFTER.alone))
        if (alone === STOPPED) throw errors.unavailable(5, 'The thread for slow reads has stopped')
        return alone
      }
      noteTime(read, result.time)
      return method.resultOf(result)
    } catch (error) {
      if (!(error instanceof ReaderFailure)) throw error
      if (error.failure.code === INTERRUPT) noteSlow(read, Math.max(slowRead, milliseconds * 1000))
      if (error.failure.code !== INTERRUPT || isSlow) throw failWith(error.failure, limits, error)
      return readInThread(method, read, statement, limits, true)
    } finally {
      onThreadRead()
    }
  }

  /** Whether the shared thread takes a read. Starts the thread if needed, without waiting for it. */
  function canTakeMore(): boolean {
    if (shared.isRunning) return shared.backlog < MAX_SHARED_BACKLOG
    void shared.ready()
    return false
  }

  function read<Result>(
    method: ReadMethod<Result>,
    statement: Statement,
    limits: ReadLimits,
  ): MaybePromise<Result> {
    if (isClosed) throw errors.unavailable(1, 'The database is closed')
    count++
    const prepared = translating(() => method.prepare(statement.sql))
    const { expectedTime, lastTime } = prepared
    if (expectedTime >= slowRead) {
      const isSlow = Math.max(expectedTime, lastTime) >= MEDIUM_READ || !canTakeMore()
      return readInThread(method, prepared, statement, limits, isSlow)
    }
    if (canShare && expectedTime >= SHARED_READ && (shared.waiting > 0 || isBusy()) && canTakeMore())
      return readInThread(method, prepared, statement, limits, false)
    const milliseconds = lastTime === 0 ? STOPPED_AFTER.first : STOPPED_AFTER.fast
    const result = readHere(prepared, statement, limits, milliseconds)
    return result === STOPPED ? readInThread(method, prepared, statement, limits, true) : result
  }

  const allRows: ReadMethod<readonly Row[]> = {
    prepare: select.rows,
    isAll: true,
    resultOf: ({ rows }) => rows,
  }
  const firstRow: ReadMethod<readonly SqlValue[] | null> = {
    prepare: select.firstRow,
    isAll: false,
    resultOf: (result) => result.firstRow,
  }

  return {
    rows: (statement, limits = NO_LIMITS) => read(allRows, statement, limits),
    firstRow: (statement, _tables, limits = NO_LIMITS) => read(firstRow, statement, limits),
    get count() {
      return count
    },
    get refused() {
      return { ...refused, share: slow.rejected }
    },
    pools() {
      const size = slow.size + Number(shared.isRunning)
      const waiting = slow.waiting + shared.waiting
      return size > 0 ? [{ name: 'reader', size, idle: Math.max(size - waiting, 0), waiting }] : []
    },
    async close() {
      isClosed = true
      await Promise.all([shared.close(), slow.close()])
    },
  }
}
