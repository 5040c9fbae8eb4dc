/** Dates, times and timestamps in ISO 8601. A timestamp without an offset is UTC. */
import type { JsonSchema } from '../../json-schema.ts'
import type { Parsed, ScalarType } from '../../scalar-type.ts'
import { FIXED_LENGTH } from './numbers.ts'
import { jsonString, stringSortKey, textColumn, textFrom } from './text.ts'

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:(Z)|([+-])(\d{2})(?::?(\d{2}))?)?)?$/i

const FIRST = Date.UTC(0, 0, 1) // The year 1900: `Date.UTC` cannot express the years 0 to 99, `setUTCFullYear` can.

/** Milliseconds since 1970 of a day that exists, or null. */
function dayMs(year: number, month: number, day: number) {
  const date = new Date(FIRST)
  date.setUTCFullYear(year, month - 1, day)
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? date.getTime() : null
}

/** Milliseconds since 1970 of a date or timestamp; null when the text is neither. */
export function parseInstant(text: string): number | null {
  const match = ISO.exec(text.trim())
  if (!match) return null
  const part = (index: number) => Number(match[index] ?? 0)
  const day = dayMs(part(1), part(2), part(3))
  const [hours, minutes, seconds] = [part(4), part(5), part(6)]
  const [offsetHours, offsetMinutes] = [part(10), part(11)]
  if (day === null || hours > 23 || minutes > 59 || seconds > 59 || offsetHours > 23 || offsetMinutes > 59)
    return null
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const offset = (match[9] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes)
  return day + ((hours * 60 + minutes - offset) * 60 + seconds) * 1000 + milliseconds
}

/** ISO text in UTC with milliseconds, or null outside the years 0000 to 9999, which would not sort as text. */
export function formatInstant(ms: number): string | null {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  return year >= 0 && year <= 9999 ? date.toISOString() : null
}

interface InstantFormat {
  readonly parse: (input: unknown) => Parsed<string>
  readonly storedAs: 'date' | 'time' | 'instant'
  readonly filterName: string
  readonly schema: JsonSchema
  readonly example: string
  /** The TypeScript types that bodies accept, where that is more than a string. */
  readonly sentTypes?: readonly string[]
}

/** A type of dates or times, stored and served as text that sorts by time. */
export const instantType = ({
  parse,
  storedAs,
  filterName,
  schema,
  example,
  sentTypes,
}: InstantFormat): ScalarType => ({
  family: 'instant',
  column: textColumn,
  maxStoredLength: () => FIXED_LENGTH,
  parse,
  parseFilter: parse,
  json: jsonString,
  comparedText: 'stored',
  parseSortKey: stringSortKey,
  storedAs,
  alsoHolds: [storedAs],
  inputFrom: textFrom,
  documentation: {
    served: () => schema,
    sent: () => schema,
    filter: { name: filterName, value: schema },
    example: () => example,
    typescript: { served: () => ['string'], ...(sentTypes ? { sent: sentTypes } : {}) },
  },
})
