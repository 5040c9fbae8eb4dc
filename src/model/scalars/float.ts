/** A number with a fraction. */
export { doubleType as float } from './shared/numbers.ts'
