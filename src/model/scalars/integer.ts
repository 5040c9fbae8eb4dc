/** An integer that JSON can represent exactly. */
import { fail, type ScalarType } from '../scalar-type.ts'
import {
  FIXED_LENGTH,
  isSafeInteger,
  numberExample,
  numberSchema,
  toNumber,
  withinBounds,
} from './shared/numbers.ts'

export const integer: ScalarType = {
  family: 'number',
  column: { sqlite: 'INTEGER', postgres: 'bigint' },
  maxStoredLength: () => FIXED_LENGTH,
  parse(input, rules) {
    const number = toNumber(input)
    if (!number.ok) return number
    if (!Number.isInteger(number.value)) return fail('must be an integer')
    if (!isSafeInteger(number.value)) return fail('must be between -(2^53 - 1) and 2^53 - 1')
    return withinBounds(number.value, rules)
  },
  // A filter may compare an integer with a fraction.
  parseFilter: toNumber,
  json: String,
  search: 'equals',
  comparedText: 'served',
  isInteger: true,
  parseSortKey: (key) => (isSafeInteger(key) ? key : undefined),
  storedAs: 'integer',
  documentation: {
    served: () => ({ type: 'integer' }),
    sent: (rules) => numberSchema('integer', rules),
    filter: { name: 'IntegerFilter', value: { type: 'number' } },
    example: (rules) => Number(numberExample(rules)),
    typescript: { served: () => ['number'] },
  },
}
