/** What happens when scheduled work fails: whether it is tried again, and the reason that is reported. */
import { LeaseLost } from '../../jobs/job.ts'
import { isObject } from '../../project/values.ts'
import { toApiError } from '../response/error-response.ts'

/** Another process continues what a killed one has taken after this time. */
export const LEASE_MS = 5_000

const MAX_ATTEMPTS = 10
const LONGEST_PAUSE_MS = 60_000

/** Whether another attempt could not succeed: it was refused like a request, or has failed often enough. */
export function isFinal(error: unknown, attempt: number): boolean {
  if (error instanceof LeaseLost) return false
  const refusal = toApiError(error)
  return (refusal !== null && refusal.status < 500) || attempt >= MAX_ATTEMPTS
}

/** Scheduled work is late when it is tried again, so the pauses are short. It ends with a notice, and is never given up. */
export const retryAfter = (attempts: number): number =>
  Math.min(1_000 * 2 ** (attempts - 1), LONGEST_PAUSE_MS)

/** The reason in a sentence, with all problems of a document. Failures of the server are only in the log. */
export function reasonOf(failure: unknown): string {
  const error = toApiError(failure)
  if (!error || error.status >= 500) return 'Internal error; see the log of the server'
  const { errors } = error.details
  const problems = Array.isArray(errors)
    ? errors.flatMap((one: unknown) =>
        isObject(one) && typeof one.message === 'string' ? [one.message] : [],
      )
    : []
  return problems.length > 0 ? problems.join('; ') : error.message
}
