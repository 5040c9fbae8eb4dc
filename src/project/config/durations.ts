/** Settings that are lengths of time. */
import { integerBetween } from './setting.ts'

/** A Node timer of more than 24 days fires immediately. */
const MAX_SECONDS = 2_000_000
export const seconds = integerBetween(1, MAX_SECONDS)
export const secondsOrNone = integerBetween(0, MAX_SECONDS)
export const milliseconds = integerBetween(50, MAX_SECONDS * 1000)
/** Ten years: much longer periods would exceed the range of dates. */
export const days = integerBetween(1, 3_650)
export const minutes = integerBetween(1, 5_256_000)
