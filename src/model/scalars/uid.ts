/** A text that may stand in a path: unique per locale, of letters, digits and `-_.~`. */

import { textType } from './shared/text.ts'
import { SHORT_TEXT } from './string.ts'

export const uid = textType({
  maxLength: SHORT_TEXT,
  format: (text) =>
    /^[A-Za-z0-9\-_.~]*$/.test(text) ? null : 'may only have letters, digits and the characters - _ . ~',
})
