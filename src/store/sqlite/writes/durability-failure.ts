/**
 * Whether the disk has failed to store a write. After that the operating system may have dropped data and report
 * success the next time, so no later write can be acknowledged until the server restarts: the next start writes what
 * the log still contains to the disk again.
 */
import { type ApiError, errors } from '../../../errors.ts'

export interface DurabilityFailure {
  /** The error that rejects every write; null as long as the disk has not failed. */
  readonly error: ApiError | null
  /** Records the failure, and returns the error to reject writes with. */
  fail(cause: unknown): ApiError
  /** Calls the listener when this process records the failure. */
  onFailure(listener: (cause: unknown) => void): void
  /** Another process of the server has recorded the failure. */
  failedElsewhere(): void
}

const RETRY_SECONDS = 30

export function trackDurabilityFailure(): DurabilityFailure {
  const listeners: ((cause: unknown) => void)[] = []
  let error: ApiError | null = null
  const createError = () =>
    errors.unavailable(
      RETRY_SECONDS,
      'The disk of the database has failed: nothing more is written until the server is restarted',
    )
  return {
    get error() {
      return error
    },
    fail(cause) {
      if (error) return error
      error = createError()
      error.cause = cause
      for (const listener of listeners) listener(cause)
      return error
    },
    onFailure: (listener) => void listeners.push(listener),
    failedElsewhere() {
      error ??= createError()
    },
  }
}
