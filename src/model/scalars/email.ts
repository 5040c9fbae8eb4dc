/** An e-mail address, kept in the letters it was sent in. */
import { SHORT_TEXT } from './string.ts'
import { textual } from './textual.ts'

const LOCAL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** Whether a text has the form of an e-mail address, as browsers check it. */
function isEmail(text: string) {
  const at = text.lastIndexOf('@')
  return (
    at > 0 &&
    LOCAL.test(text.slice(0, at)) &&
    text
      .slice(at + 1)
      .split('.')
      .every((label) => LABEL.test(label))
  )
}

export const email = textual({
  maxLength: SHORT_TEXT,
  format: (text) => (isEmail(text) ? null : 'must be an e-mail address'),
})
