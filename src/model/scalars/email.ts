/** An e-mail address, stored in the letter case in which it was sent. */
import { textType } from './shared/text.ts'

/** Between the dots of the local part: what mail servers accept, and the letters of other scripts. */
const ATOM = /^[A-Za-z0-9!#$%\&'*+\/=?^_`\{\|\}~\-[[\p{L}\p{M}\p{N}\p{S}\p{P}]--\p{ASCII}]]+$/v
/** Between the dots of a domain. */
const LABEL = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_\-]{0,61}[\p{L}\p{M}\p{N}_])?$/v
const LAST_LABEL = /^[^_]+$/

const MAX_LOCAL_LENGTH = 64

/** Dots separate other characters, and the domain has at least one. */
export function isEmail(text: string) {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const labels = text.slice(at + 1).split('.')
  return (
    local.length <= MAX_LOCAL_LENGTH &&
    local.split('.').every((atom) => ATOM.test(atom)) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    LAST_LABEL.test(labels.at(-1) ?? '')
  )
}

export const email = textType({
  isShort: true,
  check: (text) => (isEmail(text) ? null : 'must be an e-mail address'),
  sentSchema: { format: 'email' },
  example: () => 'someone@example.com',
})
