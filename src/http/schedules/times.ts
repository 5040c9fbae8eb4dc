/** Times in requests: when something is to happen, and from when to when to list. */
import { errors } from '../../errors.ts'
import { formatInstant, parseInstant } from '../../model/scalars/shared/instants.ts'

/** A time with a zone: without one it would depend on where the server runs. */
const hasZone = (time: string) => /[T ]/i.test(time) && /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(time.slice(-6))

/** The clocks of clients differ: what was due a moment ago happens immediately. */
const MAX_PAST_MS = 60_000

/** ISO in UTC, or null for null. Refuses what is not a time with a zone, and a time that has passed. */
export function parseFutureTime(name: string, value: unknown, now = Date.now()): string | null {
  if (value === null) return null
  const invalid = (message: string) =>
    errors.invalidValues([{ path: [name], message: `${name} ${message}`, value }])
  const time = typeof value === 'string' && hasZone(value.trim()) ? parseInstant(value) : null
  const text = time === null ? null : formatInstant(time)
  if (time === null || text === null)
    throw invalid('must be an ISO 8601 date and time with a time zone, such as 2027-01-31T09:00:00Z')
  if (time < now - MAX_PAST_MS) throw invalid('must not be in the past')
  return text
}

/** The `from` and `to` of a query string; a time without a zone is UTC. */
export function parsePeriod(query: Readonly<Record<string, unknown>>) {
  return { from: boundOf(query, 'from'), to: boundOf(query, 'to') }
}

function boundOf(query: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = query[name]
  if (value === undefined || value === '') return undefined
  const time = typeof value === 'string' ? parseInstant(value) : null
  const text = time === null ? null : formatInstant(time)
  if (text === null) throw errors.invalidParameter(name, null, 'expected an ISO 8601 date, or date and time')
  return text
}
