/** What the number types share: numbers written as text, bounds, and the filters that compare with them. */
import type { ScalarAttribute } from '../../model.ts'
import { fail, ok, type Parsed, type ScalarType, type Stored } from '../../scalar-type.ts'

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** A finite number from a number or from its decimal text. */
export function toNumber(input: unknown): Parsed<number> {
  const number =
    typeof input === 'number'
      ? input
      : typeof input === 'string' && NUMBER.test(input.trim())
        ? Number(input)
        : Number.NaN
  // `+ 0` turns -0 into 0, which JSON would serve as 0 anyway.
  return Number.isFinite(number) ? ok(number + 0) : fail('must be a number')
}

/** The value itself when it is within `min` and `max` of the attribute. */
export function withinBounds<T extends number | bigint>(value: T, { min, max }: ScalarAttribute): Parsed<T> {
  if (min !== null && value < min) return fail(`must be at least ${min}`)
  if (max !== null && value > max) return fail(`must be at most ${max}`)
  return ok(value)
}

/** A type whose values are doubles, served as JSON numbers. */
export const doubleType: ScalarType = {
  family: 'number',
  column: { sqlite: 'REAL', postgres: 'double precision' },
  parse(input, attribute) {
    const number = toNumber(input)
    return number.ok ? withinBounds(number.value, attribute) : number
  },
  parseFilter: toNumber,
  json: (stored: Stored) => JSON.stringify(Number(stored)),
}
