/** A short text: 255 characters unless the schema sets `maxLength`. */
import { textual } from './textual.ts'

export const SHORT_TEXT = 255

export const string = textual({ maxLength: SHORT_TEXT })
