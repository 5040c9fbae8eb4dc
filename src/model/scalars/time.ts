/** A time of day, `HH:mm:ss.SSS`; seconds must be given. */
import { fail, ok, type Parsed, type ScalarType } from '../scalar-type.ts'
import { jsonString, textColumn } from './shared/text.ts'

const TIME = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,3}))?$/

function toTime(input: unknown): Parsed<string> {
  const match = typeof input === 'string' ? TIME.exec(input.trim()) : null
  return match
    ? ok(`${match[1]}.${(match[2] ?? '').padEnd(3, '0')}`)
    : fail('must be a time such as 10:00:00 or 10:00:00.000')
}

export const time: ScalarType = {
  family: 'text',
  column: textColumn,
  parse: toTime,
  parseFilter: toTime,
  json: jsonString,
}
