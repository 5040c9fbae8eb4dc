/** What a new password must be: long enough, and not among the first that an attacker tries. */
import type { FieldProblem } from '../../errors.ts'
import type { AuthConfig } from '../../project/config/access-config.ts'
import { onDemand } from '../../store/on-demand.ts'

/** Loaded with the first new password. */
const commonPasswords = onDemand(
  async () => (await import('../credentials/common-passwords.ts')).COMMON_PASSWORDS,
)

/** Rows of a keyboard and other sequences; parts of them, also backwards, are as easy to guess. */
const SEQUENCES = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
]

/** Nobody guesses a longer password because it is common, and the checks below would take long. */
const MAX_COMMON_LENGTH = 64

/** What is wrong with a new password; nothing if it is acceptable. `names` are the user's own names. */
export async function passwordProblems(
  password: string,
  { minLength, refuseCommon }: AuthConfig['password'],
  names: readonly unknown[] = [],
): Promise<FieldProblem[]> {
  const problem = (message: string) => [{ path: ['password'], message }]
  if (password.length < minLength) return problem(`password must have at least ${minLength} characters`)
  if (!refuseCommon || password.length > MAX_COMMON_LENGTH) return []
  const folded = password.normalize('NFKC').toLowerCase()
  if (names.some((name) => typeof name === 'string' && name.toLowerCase() === folded))
    return problem('password must not be the user name or the e-mail address')
  return isEasilyGuessed(folded, await commonPasswords())
    ? problem('password is too common; choose one that is harder to guess')
    : []
}

/** Whether a password in lower case is common, a sequence of characters, or a repetition. */
export function isEasilyGuessed(password: string, common: ReadonlySet<string>): boolean {
  const word = password.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '')
  return common.has(password) || common.has(word) || isSequence(password) || isRepetition(password, common)
}

const isSequence = (password: string) =>
  SEQUENCES.some((sequence) => {
    const backwards = [...sequence].reverse().join('')
    return sequence.includes(password) || backwards.includes(password)
  })

const MAX_REPEATED_LENGTH = 4

/** `aaaaaaaa`, `12121212`, `passwordpassword`. */
function isRepetition(password: string, common: ReadonlySet<string>): boolean {
  for (let length = 1; length <= password.length / 2; length++) {
    const part = password.slice(0, length)
    const isSmall = length <= MAX_REPEATED_LENGTH || common.has(part)
    if (isSmall && password === part.repeat(password.length / length)) return true
  }
  return false
}
