/** True or false, stored as 1 and 0. */
import { fail, ok, type Parsed, type ScalarType } from '../scalar-type.ts'
import { FIXED_LENGTH } from './shared/numbers.ts'

const WORDS: ReadonlyMap<string, number> = new Map([
  ['true', 1],
  ['1', 1],
  ['false', 0],
  ['0', 0],
])

/** Query strings may also contain t and f. */
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
  entryCast: { postgres: 'boolean::int' },
  maxStoredLength: () => FIXED_LENGTH,
  parse: (input) => toBit(input, WORDS),
  parseFilter: (input) => toBit(input, FILTER_WORDS),
  json: (stored) => (Number(stored) === 1 ? 'true' : 'false'),
  comparedText: 'served',
  hasFewValues: true,
  parseSortKey: (key) => (key === 0 || key === 1 ? key : undefined),
  storedAs: 'boolean',
  inputFrom: (served) => served,
  documentation: {
    served: () => ({ type: 'boolean' }),
    sent: () => ({ type: 'boolean' }),
    filter: { name: 'BooleanFilter', value: { type: 'boolean' } },
    example: () => true,
    typescript: { served: () => ['boolean'] },
  },
}
