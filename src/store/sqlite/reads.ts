/**
 * Reads of SQLite. A fast read runs on the main thread, because a message to another thread would take longer than the
 * read. A slow read runs in the reader thread, so that it does not block the event loop. So does a read between the two
 * while other requests wait and there is a second core: on two cores, populating one level is 1.4 times and a filter
 * through relations 1.6 times as fast as without. How long a statement takes is known from its earlier runs.
 */
import { availableParallelism } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { errors } from '../../errors.ts'
import { andThen, type MaybePromise } from '../maybe-promise.ts'
import type { Row, SqlValue, Statement } from '../statement.ts'
import type { Pool } from '../store.ts'
import { failureOf, translate, translating } from './failures.ts'
import { createSelect, type PreparedRead } from './select.ts'
import { createReaderClient, type ReaderClient, type ReaderClientOptions } from './threads/reader-client.ts'
import type { ReaderResult } from './threads/reader-thread.ts'

export interface ReadsOptions extends ReaderClientOptions {
  /** Called after a read in the thread, which may have seen newer content than the main thread. */
  readonly onThreadRead: () => void
  /** Whether more requests have arrived than the one that reads. */
  readonly isBusy: () => boolean
  /** Whether this is the only process of the server, so that another core may be free. */
  readonly isOnlyProcess: boolean
  /** The microseconds from which on a read is slow. */
  readonly slowRead?: number
}

export interface Reads {
  rows(statement: Statement): MaybePromise<readonly Row[]>
  firstRow(statement: Statement): MaybePromise<readonly SqlValue[] | null>
  /** The number of reads so far. */
  readonly count: number
  /** The reader thread, when it runs. */
  pools(): readonly Pool[]
  close(): Promise<void>
}

const SLOW_READ = 2_000
/** The microseconds from which on a read is worth a message to the thread. */
const SHARED_READ = 80

export function openReads(path: string, database: DatabaseSync, options: ReadsOptions): Reads {
  const { onThreadRead, isBusy, isOnlyProcess, slowRead = SLOW_READ } = options
  const canShare = isOnlyProcess && availableParallelism() > 1
  const select = createSelect(database)
  const thread = createReaderClient(path, options)
  let count = 0
  let isClosed = false

  function readHere<Result>(read: PreparedRead<Result>, parameters: readonly SqlValue[]): Result {
    const start = performance.now()
    try {
      const result = read.read(parameters)
      noteTime(read, (performance.now() - start) * 1000)
      return result
    } catch (error) {
      throw translate(failureOf(error), error)
    }
  }

  async function readThere<Result>(
    read: PreparedRead<Result>,
    request: Parameters<ReaderClient['read']>[0],
    resultOf: (result: ReaderResult) => Result,
  ): Promise<Result> {
    const start = performance.now()
    let time = 0
    try {
      const result = await thread.read(request, read.expectedTime, read.expectedTime >= slowRead)
      time = result.time
      return resultOf(result)
    } finally {
      noteTime(read, time || (performance.now() - start) * 1000)
      onThreadRead()
    }
  }

  function read<Result>(
    prepare: (sql: string) => PreparedRead<Result>,
    statement: Statement,
    isAll: boolean,
    resultOf: (result: ReaderResult) => Result,
  ): MaybePromise<Result> {
    if (isClosed) throw errors.unavailable(1, 'The database is closed')
    count++
    const { sql, parameters } = statement
    const prepared = translating(() => prepare(sql))
    const { expectedTime } = prepared
    if (expectedTime < slowRead) {
      const isShared = canShare && expectedTime >= SHARED_READ && (thread.isBusy() || isBusy())
      return isShared && thread.canTakeMore()
        ? readThere(prepared, { sql, parameters, isAll }, resultOf)
        : readHere(prepared, parameters)
    }
    return andThen(thread.ready(), (isReady) =>
      isReady ? readThere(prepared, { sql, parameters, isAll }, resultOf) : readHere(prepared, parameters),
    )
  }

  return {
    rows: (statement) => read(select.rows, statement, true, ({ rows }) => rows),
    firstRow: (statement) => read(select.firstRow, statement, false, ({ firstRow }) => firstRow),
    get count() {
      return count
    },
    pools: thread.pools,
    close() {
      isClosed = true
      return thread.close()
    },
  }
}

/** Of the last two times the shorter one counts: a busy machine makes any read slow once. */
function noteTime(read: PreparedRead<unknown>, time: number) {
  read.expectedTime += (Math.min(time, read.lastTime) - read.expectedTime) / 4
  read.lastTime = time
}
