/** An e-mail address, kept in the letters it was sent in. */

import { textType } from './shared/text.ts'
import { SHORT_TEXT } from './string.ts'

/** Between the dots of the first part: what mail servers take, and the letters of other scripts. */
const ATOM = /^[A-Za-z0-9!#$%\&'*+\/=?^_`\{\|\}~\-[[\p{L}\p{M}\p{N}\p{S}\p{P}]--\p{ASCII}]]+$/v
/** Between the dots of a domain. */
const LABEL = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_\-]{0,61}[\p{L}\p{M}\p{N}_])?$/v
const LAST_LABEL = /^[^_]+$/

const LONGEST_LOCAL = 64

/** Whether a text has the form of an e-mail address: dots stand between other characters, and one is in the domain. */
export function isEmail(text: string) {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const labels = text.slice(at + 1).split('.')
  return (
    local.length <= LONGEST_LOCAL &&
    local.split('.').every((atom) => ATOM.test(atom)) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    LAST_LABEL.test(labels.at(-1) ?? '')
  )
}

export const email = textType({
  maxLength: SHORT_TEXT,
  format: (text) => (isEmail(text) ? null : 'must be an e-mail address'),
})
