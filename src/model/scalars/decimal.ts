/** A number with a fraction, such as a price. Served as a JSON number, so it is kept as the double that JSON has. */
export { doubleType as decimal } from './shared/numbers.ts'
