/** A timestamp in ISO 8601, in UTC with milliseconds. Accepts a date, a timestamp with or without an offset, or milliseconds. */
import { fail, ok, type Parsed } from '../scalar-type.ts'
import { formatInstant, instantType, parseInstant } from './shared/instants.ts'

/** Fewer digits could be meant as a year or a day. */
const MILLISECONDS = /^-?\d{9,16}$/

function toMilliseconds(input: unknown): number | null {
  if (typeof input === 'number') return input
  if (typeof input !== 'string') return null
  return MILLISECONDS.test(input.trim()) ? Number(input) : parseInstant(input)
}

function toInstant(input: unknown): Parsed<string> {
  const ms = toMilliseconds(input)
  const text = ms === null ? null : formatInstant(ms)
  return text === null
    ? fail('must be a timestamp such as 2024-02-29T10:00:00.000Z, a date, or milliseconds')
    : ok(text)
}

export const datetime = instantType({
  parse: toInstant,
  storedAs: 'instant',
  filterName: 'DateTimeFilter',
  schema: { type: 'string', format: 'date-time' },
  example: '2024-02-29T18:30:00.000Z',
  sentTypes: ['string', 'Date'],
})
