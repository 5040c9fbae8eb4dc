/** A number with a fraction, such as a price; stored as the double that JSON has. */
export { doubleType as decimal } from './shared/numbers.ts'
