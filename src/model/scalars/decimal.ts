/**
 * A number with a fraction, such as a price. It is stored as the double that JSON has, and a number whose digits a double
 * does not keep is refused: up to 15 significant digits are always kept, and what is returned has the digits that were sent.
 */
import { fail, type Parsed, type ScalarType } from '../scalar-type.ts'
import { isExactDouble } from './shared/exact-decimal.ts'
import { doubleType } from './shared/numbers.ts'

/** A number that was not sent as text has the digits of its double. */
const exactly = <T>(input: unknown, parsed: Parsed<T>): Parsed<T> =>
  parsed.ok && typeof input === 'string' && !isExactDouble(input)
    ? fail('has too many digits to be stored exactly: at most 15 significant digits always can be')
    : parsed

export const decimal: ScalarType = {
  ...doubleType,
  parse: (input, rules, strictness) => exactly(input, doubleType.parse(input, rules, strictness)),
  parseFilter: (input) => exactly(input, doubleType.parseFilter(input)),
}
