/**
 * Fast reads share a few connections of the pool: a read is sent without waiting for the responses to those before it.
 * The processes of the database server then wake up less often.
 */
import type pg from 'pg'
import { connectionLost } from '../failures.ts'

export interface SharedConnections {
  /** Runs a fast read on a shared connection, or on one of its own. `onStart` is called when its response is the next one. */
  run<Result>(read: (client: pg.PoolClient) => Promise<Result>, onStart: () => void): Promise<Result>
}

interface Shared {
  readonly client: Promise<pg.PoolClient>
  /** What the reads do when they are next, in the order in which they were sent. */
  readonly waiting: { readonly onStart: () => void }[]
  /** When the first of them became the next one, in milliseconds. */
  since: number
  isBroken: boolean
}

const STALLED_MS = 10

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

  function leastUsed(): Shared | null {
    const now = performance.now()
    let best: Shared | null = null
    for (const shared of open)
      if (
        !shared.isBroken &&
        now - shared.since < stalledMs &&
        shared.waiting.length < (best?.waiting.length ?? Infinity)
      )
        best = shared
    return best
  }

  function openShared(): Shared {
    const shared: Shared = { client: pool.connect(), waiting: [], since: performance.now(), isBroken: false }
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

  /** From now on the server works on the next read. */
  function startNext(shared: Shared) {
    shared.since = performance.now()
    shared.waiting[0]?.onStart()
  }

  return {
    async run(read, onStart) {
      const shared = (open.size < max ? null : leastUsed()) ?? openShared()
      const turn = { onStart }
      shared.waiting.push(turn)
      try {
        const client = await shared.client
        if (shared.waiting[0] === turn) startNext(shared)
        return await read(client)
      } catch (error) {
        if (connectionLost(error)) shared.isBroken = true
        throw error
      } finally {
        // Responses arrive in the order of the reads.
        shared.waiting.splice(shared.waiting.indexOf(turn), 1)
        if (shared.waiting.length === 0) release(shared)
        else startNext(shared)
      }
    },
  }
}
