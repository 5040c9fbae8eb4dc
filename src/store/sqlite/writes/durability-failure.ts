/**
 * Whether the disk still keeps what it is told to keep. Once it has failed to, the system may have dropped what it could
 * not write and report success the next time, so that no later write could be acknowledged in good faith. Doubt
 * therefore ends with the server: the next start writes what can still be read of the log to the disk anew.
 */
import { type ApiError, errors } from '../../../errors.ts'

export interface DurabilityFailure {
  /** What every write is refused with; null while there is no doubt. */
  readonly error: ApiError | null
  /** Raises it, and answers with what to refuse. */
  fail(cause: unknown): ApiError
  /** Does something when this process raises it. */
  onFailure(listener: (cause: unknown) => void): void
  /** To be called when another process of the server has raised it. */
  failedElsewhere(): void
}

const RETRY_SECONDS = 30

/** No doubt yet. */
export function trackDurabilityFailure(): DurabilityFailure {
  const listeners: ((cause: unknown) => void)[] = []
  let raised: ApiError | null = null
  const refusal = () =>
    errors.unavailable(
      RETRY_SECONDS,
      'The disk of the database has failed: nothing more is written until the server is restarted',
    )
  return {
    get error() {
      return raised
    },
    fail(cause) {
      if (raised) return raised
      raised = refusal()
      raised.cause = cause
      for (const listener of listeners) listener(cause)
      return raised
    },
    onFailure: (listener) => void listeners.push(listener),
    failedElsewhere() {
      raised ??= refusal()
    },
  }
}
