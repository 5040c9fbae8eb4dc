/** Records attempts. Those that end shortly after each other share a transaction. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../store/store.ts'
import { type Attempt, recordAttempt } from './deliveries.ts'

/** The pause between two transactions. */
const PAUSE_MS = 50

export type RecordAttempt = (attempt: Attempt) => Promise<void>

interface Waiting {
  readonly attempt: Attempt
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export function createAttemptRecorder(store: Store): RecordAttempt {
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
      await sleep(PAUSE_MS)
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
