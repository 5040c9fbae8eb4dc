/**
 * Fast reads share a few connections of the pool: a read is sent without waiting for the responses to those before it.
 * The processes of the database server then wake up less often. Reads that start in the same turn of the event loop use as
 * few of the connections as is good for their expected time, because the server responds to them together.
 */
import type pg from 'pg'
import { connectionLost } from '../failures.ts'

export interface SharedConnections {
  /**
   * Runs a fast read on a shared connection, or on one of its own. It is expected to take so many microseconds; `onTime` is
   * called with the milliseconds that it took.
   */
  run<Result>(
    read: (client: pg.PoolClient) => Promise<Result>,
    expectedTime: number,
    onTime?: (milliseconds: number) => void,
  ): Promise<Result>
}

/** Reads that are sent together. */
interface Batch {
  /** How many they are, how many of them have no response yet, and the microseconds that they are expected to take. */
  count: number
  left: number
  expectedTime: number
}

interface Shared {
  readonly client: Promise<pg.PoolClient>
  /** In the order in which they are sent. */
  readonly batches: Batch[]
  /** When the server started with the first of them, in milliseconds. */
  since: number
  /** The batch to which reads of this turn of the event loop are added. */
  current: Batch | null
  isBroken: boolean
}

const STALLED_MS = 10

/** The microseconds that a batch may take before reads of the same turn are sent on another connection. */
const BATCH_TIME = 1_000

/**
 * Reads share up to `max` connections of the pool, and give each back when no read waits on it. While all of these are
 * stalled, that is while their reads have already taken `stalledMs`, a read gets another connection.
 */
export function createSharedConnections(
  pool: pg.Pool,
  max: number,
  stalledMs = STALLED_MS,
): SharedConnections {
  const open = new Set<Shared>()
  /** The connection to which a read of this turn was sent last. */
  let last: Shared | null = null

  function leastUsed(): Shared | null {
    const now = performance.now()
    let best: Shared | null = null
    let least = Infinity
    for (const shared of open) {
      if (shared.isBroken || now - shared.since >= stalledMs) continue
      const used = shared.batches.reduce((sum, { left }) => sum + left, 0)
      if (used >= least) continue
      best = shared
      least = used
    }
    return best
  }

  function openShared(): Shared {
    const client = pool.connect().then((connected) => {
      shared.since = performance.now()
      return connected
    })
    const shared: Shared = {
      client,
      batches: [],
      since: performance.now(),
      current: null,
      isBroken: false,
    }
    open.add(shared)
    return shared
  }

  function release(shared: Shared) {
    open.delete(shared)
    shared.client.then(
      (client) => client.release(shared.isBroken),
      () => {},
    )
  }

  function choose(): Shared {
    if (last?.current && !last.isBroken && last.current.expectedTime < BATCH_TIME) return last
    return (open.size < max ? null : leastUsed()) ?? openShared()
  }

  function openBatch(shared: Shared): Batch {
    const batch: Batch = { count: 0, left: 0, expectedTime: 0 }
    shared.batches.push(batch)
    shared.current = batch
    setImmediate(() => {
      if (shared.current === batch) shared.current = null
      if (last === shared) last = null
    })
    return batch
  }

  return {
    async run(read, expectedTime, onTime) {
      const shared = choose()
      last = shared
      const batch = shared.current ?? openBatch(shared)
      batch.count++
      batch.left++
      batch.expectedTime += expectedTime
      try {
        return await read(await shared.client)
      } catch (error) {
        if (connectionLost(error)) shared.isBroken = true
        throw error
      } finally {
        const now = performance.now()
        // The server responds to all of a batch at once, so that only their average is known.
        onTime?.((now - shared.since) / batch.count)
        if (--batch.left === 0) {
          shared.batches.splice(shared.batches.indexOf(batch), 1)
          if (shared.current === batch) shared.current = null
          // From now on the server works on the next batch.
          shared.since = now
          if (shared.batches.length === 0) release(shared)
        }
      }
    },
  }
}
