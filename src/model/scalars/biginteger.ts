/** A whole number of 64 bits, exact; travels as a JSON string. */
import { fail, ok, type Parsed, type ScalarType } from '../scalar-type.ts'
import { toNumber, withinBounds } from './shared/numbers.ts'

const LEAST = -(2n ** 63n)
const GREATEST = 2n ** 63n - 1n

function toBigInteger(input: unknown): Parsed<bigint> {
  if (typeof input === 'number') {
    if (!Number.isInteger(input)) return fail('must be a whole number')
    // A larger JSON number has lost digits before it came here.
    return Number.isSafeInteger(input)
      ? ok(BigInt(input))
      : fail('must be sent as text when it is beyond 2^53 - 1')
  }
  // A project's own code may have one at hand.
  const value = typeof input === 'bigint' ? input : wholeOf(input)
  if (value === null) return fail('must be a whole number')
  return value >= LEAST && value <= GREATEST ? ok(value) : fail('must fit in 64 bits')
}

const wholeOf = (input: unknown): bigint | null =>
  typeof input === 'string' && /^\s*[+-]?\d{1,30}\s*$/.test(input)
    ? BigInt(input.trim().replace(/^\+/, ''))
    : null

export const biginteger: ScalarType = {
  family: 'number',
  column: { sqlite: 'INTEGER', postgres: 'bigint' },
  parse(input, attribute) {
    const value = toBigInteger(input)
    return value.ok ? withinBounds(value.value, attribute) : value
  },
  // Fractions and numbers beyond 64 bits can still be compared with.
  parseFilter(input) {
    const value = wholeOf(input)
    return value === null ? toNumber(input) : ok(value)
  },
  json: (stored) => `"${stored}"`,
}
