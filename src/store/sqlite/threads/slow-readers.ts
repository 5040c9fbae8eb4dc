/**
 * The threads for slow reads. Each runs one read at a time, and one caller has only a part of them. They have a low
 * priority, so that they do not take the processor from the main thread where there are only a few.
 */
import { errors } from '../../../errors.ts'
import { createFairShare } from '../../reads/fair-share.ts'
import type { ReadLimits } from '../../reads/read-limits.ts'
import { slowReadsOfMachine } from '../../reads/slow-reads.ts'
import { type AbandonedThreads, createReaderClient, type ReaderClient } from './reader-client.ts'
import type { ReaderRequest, ReaderResult } from './reader-thread.ts'

export interface SlowReadersOptions {
  /** How many slow reads run at the same time, each in a thread; null for a number that suits the machine. */
  readonly slowReads: number | null
  /** How many slow reads may run or wait, and how many milliseconds one waits; more are refused. */
  readonly maxWaiting: number
  readonly waitTimeout: number
  readonly abandoned: AbandonedThreads
  /** Logs a message for the operator. */
  readonly notice: (message: string) => void
}

export interface SlowReaders {
  /** Reads as soon as the caller has a thread. Null when no thread can be started. */
  read(request: ReaderRequest, limits: ReadLimits): Promise<ReaderResult | null>
  /** The number of threads that run, and of reads that run or wait. */
  readonly size: number
  readonly waiting: number
  /** The number of reads that were refused because their caller already has its share of the threads. */
  readonly rejected: number
  close(): Promise<void>
}

/** By default. */
const MAX_THREADS = 4
/** With this many threads that do not end their read, no other is started. */
const MAX_ABANDONED = 2

export function createSlowReaders(path: string, options: SlowReadersOptions): SlowReaders {
  const { maxWaiting, waitTimeout, abandoned, notice } = options
  const slowReads = options.slowReads ?? Math.min(slowReadsOfMachine(), MAX_THREADS)
  const share = createFairShare({ size: slowReads, maxWaiting, waitTimeout })
  const idle: ReaderClient[] = []
  const all: ReaderClient[] = []

  function takeIdle(): ReaderClient {
    const client = idle.pop()
    if (client) return client
    const created = createReaderClient({ path, hasLowPriority: true }, abandoned, notice)
    all.push(created)
    return created
  }

  return {
    read: (request, limits) =>
      share.run(limits, async () => {
        if (abandoned.count >= MAX_ABANDONED) throw errors.unavailable(5, 'Too many reads take too long')
        const client = takeIdle()
        try {
          return (await client.ready()) ? await client.read(request, 0, true) : null
        } finally {
          idle.push(client)
        }
      }),
    get size() {
      return all.filter((client) => client.isRunning).length
    },
    get waiting() {
      return share.open
    },
    get rejected() {
      return share.rejected
    },
    async close() {
      await Promise.all(all.map((client) => client.close()))
    },
  }
}
