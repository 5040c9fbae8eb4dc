/** What the number types share: parsing decimal text, bounds, and the type of doubles. */
import type { JsonSchema } from '../../json-schema.ts'
import { type Bound, fail, ok, type Parsed, type ScalarRules, type ScalarType } from '../../scalar-type.ts'

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** The characters of the longest number, and of an instant. */
export const FIXED_LENGTH = 24

/** A finite number from a number or from its decimal text. */
export function toNumber(input: unknown): Parsed<number> {
  const number =
    typeof input === 'number'
      ? input
      : typeof input === 'string' && NUMBER.test(input.trim())
        ? Number(input)
        : Number.NaN
  // `+ 0` turns -0 into 0.
  return Number.isFinite(number) ? ok(number + 0) : fail('must be a number')
}

/** The value itself when it is within `min` and `max`. */
export function withinBounds<T extends Bound>(value: T, { min, max }: ScalarRules): Parsed<T> {
  if (min !== null && value < min) return fail(`must be at least ${min}`)
  if (max !== null && value > max) return fail(`must be at most ${max}`)
  return ok(value)
}

export const isSafeInteger = (value: unknown): value is number => Number.isSafeInteger(value)

export const numberSchema = (type: 'number' | 'integer', { min, max }: ScalarRules): JsonSchema => ({
  type,
  ...(min !== null ? { minimum: Number(min) } : {}),
  ...(max !== null ? { maximum: Number(max) } : {}),
})

/** The smallest positive number that the bounds allow, starting at 1. */
export const numberExample = ({ min }: ScalarRules): Bound => (min !== null && min > 1 ? min : 1)

/** The type of numbers with a fraction, stored as the nearest doubles and served as JSON numbers. */
export const doubleType: ScalarType = {
  family: 'number',
  column: { sqlite: 'REAL', postgres: 'double precision' },
  maxStoredLength: () => FIXED_LENGTH,
  parse(input, rules) {
    const number = toNumber(input)
    return number.ok ? withinBounds(number.value, rules) : number
  },
  parseFilter: toNumber,
  json: (stored) => JSON.stringify(Number(stored)),
  search: 'equals',
  comparedText: 'served',
  parseSortKey: (key) => (typeof key === 'number' ? key : undefined),
  storedAs: 'double',
  alsoHolds: ['double'],
  documentation: {
    served: () => ({ type: 'number' }),
    sent: (rules) => numberSchema('number', rules),
    filter: { name: 'NumberFilter', value: { type: 'number' } },
    example: (rules) => Number(numberExample(rules)),
    typescript: { served: () => ['number'] },
  },
}
