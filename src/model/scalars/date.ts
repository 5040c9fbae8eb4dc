/** A day, `YYYY-MM-DD`. Of a timestamp the day is kept as it is written. */
import { fail, ok, type Parsed, type ScalarType } from '../scalar-type.ts'
import { parseInstant } from './shared/instants.ts'
import { jsonString, textColumn } from './shared/text.ts'

const toDay = (input: unknown): Parsed<string> =>
  typeof input === 'string' && parseInstant(input) !== null
    ? ok(input.trim().slice(0, 10))
    : fail('must be a date such as 2024-02-29')

export const date: ScalarType = {
  family: 'text',
  column: textColumn,
  parse: toDay,
  parseFilter: toDay,
  json: jsonString,
}
