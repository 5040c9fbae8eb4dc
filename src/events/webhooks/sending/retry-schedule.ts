/** When a failed delivery is tried again. Pure. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const PAUSES = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR],
  ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
] as const

const LONGEST = 24 * HOUR
/** Deliveries that failed together are not all repeated together. */
const JITTER = 0.2

/** The milliseconds until the next attempt after a number of failed ones; null if there is none. */
export function pauseAfter(
  failed: number,
  retryAfterMs: number | null,
  random: () => number = Math.random,
): number | null {
  const pause = PAUSES[failed - 1]
  if (pause === undefined) return null
  const planned = pause * (1 + JITTER * random())
  return Math.round(Math.max(planned, Math.min(retryAfterMs ?? 0, LONGEST)))
}

/** The milliseconds that a `Retry-After` header asks for, in seconds or as a date; null if it is absent or unreadable. */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
