/** An instant: ISO 8601 in UTC with milliseconds. Read from a date, a timestamp with or without an offset, or milliseconds. */
import { fail, ok, type Parsed, type ScalarType } from '../scalar-type.ts'
import { formatInstant, parseInstant } from './shared/instants.ts'
import { jsonString, textColumn } from './shared/text.ts'

/** Shorter digits could be meant as a year or a day. */
const MILLISECONDS = /^-?\d{9,16}$/

function toInstant(input: unknown): Parsed<string> {
  const ms =
    typeof input === 'number'
      ? input
      : typeof input !== 'string'
        ? null
        : MILLISECONDS.test(input.trim())
          ? Number(input)
          : parseInstant(input)
  const text = ms === null ? null : formatInstant(ms)
  return text === null
    ? fail('must be a timestamp such as 2024-02-29T10:00:00.000Z, a date, or milliseconds')
    : ok(text)
}

export const datetime: ScalarType = {
  family: 'text',
  column: textColumn,
  parse: toInstant,
  parseFilter: toInstant,
  json: jsonString,
}
