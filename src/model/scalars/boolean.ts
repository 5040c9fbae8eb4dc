/** Yes or no, kept as 1 and 0. */
import { fail, ok, type Parsed, type ScalarType } from '../scalar-type.ts'

const WORDS: ReadonlyMap<string, number> = new Map([
  ['true', 1],
  ['1', 1],
  ['false', 0],
  ['0', 0],
])

/** Query strings may also say t and f. */
const FILTER_WORDS: ReadonlyMap<string, number> = new Map([...WORDS, ['t', 1], ['f', 0]])

function toBit(input: unknown, words: ReadonlyMap<string, number>): Parsed<number> {
  const bit = ['boolean', 'number', 'string'].includes(typeof input)
    ? words.get(String(input).toLowerCase())
    : undefined
  return bit === undefined ? fail('must be true or false') : ok(bit)
}

export const boolean: ScalarType = {
  family: 'boolean',
  column: { sqlite: 'INTEGER', postgres: 'smallint' },
  parse: (input) => toBit(input, WORDS),
  parseFilter: (input) => toBit(input, FILTER_WORDS),
  json: (stored) => (Number(stored) === 1 ? 'true' : 'false'),
}
