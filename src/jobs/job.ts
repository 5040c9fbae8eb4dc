/** Jobs: work that is stored in the database, so that it survives the process that asked for it. */
import type { Transaction } from '../store/store.ts'

/** A job to store. */
export interface NewJob {
  /** Which JobKind runs it. */
  readonly kind: string
  /** Replaces the job of the same kind with this key, if there is one. */
  readonly key?: string
  /** Anything that JSON can hold. */
  readonly payload?: unknown
  /** Not before this time; now by default. */
  readonly runAt?: Date
}

/** A job that a process has taken. Until its lease ends, no other process runs it. */
export interface TakenJob {
  readonly id: number
  readonly kind: string
  readonly key: string | null
  readonly payload: unknown
  /** When it was due first. */
  readonly runAt: string
  /** How often it has been started, this time included. */
  readonly attempt: number
  /**
   * Deletes the job as a part of a transaction, so that the transaction and the end of the job happen together: exactly
   * once. Throws LeaseLost if another process has taken the job meanwhile.
   */
  completeIn(transaction: Transaction): Promise<void>
}

/** How jobs of one kind are run. */
export interface JobKind {
  readonly kind: string
  /**
   * Runs a job. When it resolves, the job is deleted; when it rejects, the job runs again after `retryAfter`. A process
   * may end at any moment, so it can run more than once, unless it uses `completeIn`.
   */
  run(job: TakenJob): Promise<void>
  /** The milliseconds between two runs of a job that repeats; it is stored when a server starts. */
  readonly every?: number
  /** The milliseconds until the next attempt after a number of failed ones; null gives up. */
  retryAfter?(attempts: number): number | null
  /** The milliseconds for which others leave a taken job alone. It is extended while the job runs. */
  readonly leaseMs?: number
}

/** Another process has taken the job, because this one did not extend its lease in time. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'

  constructor({ kind, id }: Pick<TakenJob, 'kind' | 'id'>) {
    super(`Another process has taken job ${id} (${kind})`)
  }
}

const MAX_RETRIES = 10
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 3_600_000

/** Ten retries with doubling pauses; a random part keeps jobs that failed together from retrying together. */
export function defaultRetry(attempts: number): number | null {
  if (attempts > MAX_RETRIES) return null
  const pause = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS)
  return Math.round(pause * (0.8 + Math.random() * 0.4))
}
