/** A number with a fraction. */
export { double as float } from './numeric.ts'
