/** A text that may stand in a path: unique per locale, of letters, digits and `-_.~`. */
import { SHORT_TEXT } from './string.ts'
import { textual } from './textual.ts'

export const uid = textual({
  maxLength: SHORT_TEXT,
  format: (text) =>
    /^[A-Za-z0-9\-_.~]*$/.test(text) ? null : 'may only have letters, digits and the characters - _ . ~',
})
