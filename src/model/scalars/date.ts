/** A day, `YYYY-MM-DD`. The day of a timestamp is taken as it is written, without converting it to UTC. */
import { fail, ok, type Parsed } from '../scalar-type.ts'
import { instantType, parseInstant } from './shared/instants.ts'

const toDay = (input: unknown): Parsed<string> =>
  typeof input === 'string' && parseInstant(input) !== null
    ? ok(input.trim().slice(0, 10))
    : fail('must be a date such as 2024-02-29')

export const date = instantType({
  parse: toDay,
  storedAs: 'date',
  filterName: 'DateFilter',
  schema: { type: 'string', format: 'date', examples: ['2024-02-29'] },
  example: '2024-02-29',
})
