/**
 * Fast reads share a few connections of the pool: a read is sent without waiting for the responses to those before it.
 * The processes of the database server then wake up less often. A further connection is used only when those in use are
 * expected to be busy for a while.
 */
import type pg from 'pg'
import { connectionLost } from '../failures.ts'

export interface SharedConnections {
  /**
   * Runs a fast read on a shared connection, or on one of its own. `expectedTime` is in microseconds; `onTime` is
   * called with the milliseconds that it took.
   */
  run<Result>(
    read: (client: pg.PoolClient) => Promise<Result>,
    expectedTime: number,
    onTime?: (milliseconds: number) => void,
  ): Promise<Result>
}

interface Shared {
  readonly client: Promise<pg.PoolClient>
  /** How many reads have no response yet, and the microseconds that they are expected to take. */
  waiting: number
  expectedTime: number
  /** When the server started with the first of them, in milliseconds. */
  since: number
  /** The responses that are being handled. */
  arrival: Arrival | null
  isBroken: boolean
}

/** Responses that arrived together. */
interface Arrival {
  readonly milliseconds: number
  count: number
}

const STALLED_MS = 10

/** A connection gets all reads until they are expected to take this many microseconds; then another one is opened. */
const ENOUGH_TIME = 2_000

/**
 * Reads share up to `max` connections of the pool, and give each back when no read waits on it. While all of these are
 * stalled, that is while their reads have already taken `stalledMs` or are expected to, a read gets another connection.
 */
export function createSharedConnections(
  pool: pg.Pool,
  max: number,
  stalledMs = STALLED_MS,
): SharedConnections {
  const open = new Set<Shared>()

  function choose(): Shared {
    const now = performance.now()
    let leastUsed: Shared | null = null
    for (const shared of open) {
      if (shared.isBroken || Math.max(now - shared.since, shared.expectedTime / 1000) >= stalledMs) continue
      if (shared.expectedTime < ENOUGH_TIME) return shared
      if (!leastUsed || shared.expectedTime < leastUsed.expectedTime) leastUsed = shared
    }
    return leastUsed && open.size >= max ? leastUsed : openShared()
  }

  function openShared(): Shared {
    const client = pool.connect().then((connected) => {
      shared.since = performance.now()
      return connected
    })
    const shared: Shared = {
      client,
      waiting: 0,
      expectedTime: 0,
      since: performance.now(),
      arrival: null,
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

  /** Counts a response. The server works on the next read from now on. */
  function arrived(shared: Shared): Arrival {
    if (shared.arrival) {
      shared.arrival.count++
      return shared.arrival
    }
    const now = performance.now()
    const arrival = { milliseconds: now - shared.since, count: 1 }
    shared.since = now
    shared.arrival = arrival
    return arrival
  }

  return {
    async run(read, expectedTime, onTime) {
      const shared = choose()
      shared.waiting++
      shared.expectedTime += expectedTime
      try {
        return await read(await shared.client)
      } catch (error) {
        if (connectionLost(error)) shared.isBroken = true
        throw error
      } finally {
        const arrival = arrived(shared)
        shared.expectedTime -= expectedTime
        if (--shared.waiting === 0) release(shared)
        // The others that arrived with this one are counted meanwhile; only their average is known.
        await null
        shared.arrival = null
        onTime?.(arrival.milliseconds / arrival.count)
      }
    },
  }
}
