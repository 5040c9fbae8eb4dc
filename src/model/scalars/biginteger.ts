/** A 64-bit integer, exact to the last digit; a string in JSON. */
import type { JsonSchema } from '../json-schema.ts'
import { fail, ok, type Parsed, type ScalarType } from '../scalar-type.ts'
import { FIXED_LENGTH, isSafeInteger, numberExample, toNumber, withinBounds } from './shared/numbers.ts'

const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n

function toBigInteger(input: unknown): Parsed<bigint> {
  if (typeof input === 'number') {
    if (!Number.isInteger(input)) return fail('must be an integer')
    // A larger JSON number has lost digits already.
    return isSafeInteger(input)
      ? ok(BigInt(input))
      : fail('must be sent as a string when it is beyond 2^53 - 1')
  }
  const value = typeof input === 'bigint' ? input : integerIn(input)
  if (value === null) return fail('must be an integer')
  return value >= MIN && value <= MAX ? ok(value) : fail('must fit in 64 bits')
}

const integerIn = (input: unknown): bigint | null =>
  typeof input === 'string' && /^\s*[+-]?\d{1,30}\s*$/.test(input)
    ? BigInt(input.trim().replace(/^\+/, ''))
    : null

const DESCRIPTION = 'A 64-bit integer, as a string so that no digit is lost.'
const SCHEMA: JsonSchema = { type: 'string', pattern: '^-?\\d+$', description: DESCRIPTION }

export const biginteger: ScalarType = {
  family: 'number',
  column: { sqlite: 'INTEGER', postgres: 'bigint' },
  // A member of an entry is a string.
  entryCast: { sqlite: 'INTEGER' },
  maxStoredLength: () => FIXED_LENGTH,
  parse(input, rules) {
    const value = toBigInteger(input)
    return value.ok ? withinBounds(value.value, rules) : value
  },
  // A filter may compare with fractions and with numbers beyond 64 bits.
  parseFilter(input) {
    const value = integerIn(input)
    return value === null ? toNumber(input) : ok(value)
  },
  json: (stored) => `"${stored}"`,
  hasExactBounds: true,
  search: 'equals',
  comparedText: 'cast',
  isInteger: true,
  parseSortKey(key) {
    if (isSafeInteger(key)) return key
    const value = typeof key === 'string' && /^-?\d{1,19}$/.test(key) ? BigInt(key) : null
    return value !== null && value >= MIN && value <= MAX ? value : undefined
  },
  storedAs: 'biginteger',
  alsoHolds: ['integer'],
  documentation: {
    served: () => SCHEMA,
    sent: () => SCHEMA,
    // The value is a string, for which JSON Schema has no bounds.
    sentences: ({ min, max }) => [
      DESCRIPTION,
      ...(min !== null ? [`At least ${min}.`] : []),
      ...(max !== null ? [`At most ${max}.`] : []),
    ],
    filter: { name: 'BigIntegerFilter', value: { anyOf: [{ type: 'integer' }, SCHEMA] } },
    example: (rules) => String(numberExample(rules)),
    typescript: { served: () => ['string'], sent: ['string', 'number'] },
  },
}
