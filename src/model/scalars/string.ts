/** A short text: 255 characters unless the schema sets `maxLength`. */
import { textType } from './shared/text.ts'

export const SHORT_TEXT = 255

export const string = textType({ maxLength: SHORT_TEXT })
