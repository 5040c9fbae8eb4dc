/** Records attempts. Those that end shortly after each other share a transaction. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../store/store.ts'
import { type Attempt, recordAttempt } from './deliveries.ts'
import type { Pace } from './sending/pace.ts'

/**
 * The pause between two transactions: short on an idle process, so that many can be recorded in a second, and long on a
 * busy one, since readers of SQLite read their pages anew after each commit. `bench/webhooks.ts` shows what deliveries
 * take from lists: with a short pause and a higher pace 9 %, with these nothing that can be measured.
 */
const PAUSE_MS = { idle: 50, busy: 500 }

export type RecordAttempt = (attempt: Attempt) => Promise<void>

interface Waiting {
  readonly attempt: Attempt
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export function createAttemptRecorder(store: Store, pace: Pick<Pace, 'share'>): RecordAttempt {
  let waiting: Waiting[] = []
  let isStoring = false

  async function storeAll() {
    isStoring = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await store.write(async (transaction) => {
          for (const { attempt } of batch) recordAttempt(transaction, attempt)
        })
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      await sleep(Math.min(PAUSE_MS.idle / pace.share(), PAUSE_MS.busy))
    }
    isStoring = false
  }

  return (attempt) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.push({ attempt, resolve, reject })
    if (!isStoring) void storeAll()
    return promise
  }
}
