/** A time of day, `HH:mm:ss.SSS`; seconds are required. */
import { fail, ok, type Parsed } from '../scalar-type.ts'
import { instantType } from './shared/instants.ts'

const TIME = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,3}))?$/

function toTime(input: unknown): Parsed<string> {
  const match = typeof input === 'string' ? TIME.exec(input.trim()) : null
  return match
    ? ok(`${match[1]}.${(match[2] ?? '').padEnd(3, '0')}`)
    : fail('must be a time such as 10:00:00 or 10:00:00.000')
}

export const time = instantType({
  parse: toTime,
  storedAs: 'time',
  filterName: 'TimeFilter',
  schema: { type: 'string', pattern: '^\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?$', examples: ['18:30:00.000'] },
  example: '18:30:00.000',
})
