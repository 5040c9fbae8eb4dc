/** A whole number that JSON can carry exactly. */
import { fail, type ScalarType } from '../scalar-type.ts'
import { toNumber, withinBounds } from './shared/numbers.ts'

export const integer: ScalarType = {
  family: 'number',
  column: { sqlite: 'INTEGER', postgres: 'bigint' },
  parse(input, attribute) {
    const number = toNumber(input)
    if (!number.ok) return number
    if (!Number.isInteger(number.value)) return fail('must be a whole number')
    if (!Number.isSafeInteger(number.value)) return fail('must be between -(2^53 - 1) and 2^53 - 1')
    return withinBounds(number.value, attribute)
  },
  // A fraction is a fair thing to compare a whole number with.
  parseFilter: toNumber,
  json: (stored) => String(stored),
}
