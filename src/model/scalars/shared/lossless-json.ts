/**
 * Finds what a database would not return as it was sent. JSON values of a request cannot contain much of it, but values
 * from a project's own code can.
 */
import { inexactSource } from '../../inexact-numbers.ts'
import { storableText } from './text.ts'

interface Loss {
  readonly path: readonly string[]
  readonly message: string
}

export const LOSES_DIGITS = 'must be sent as a string: the number has more digits than a JSON number keeps'

const MAX_DEPTH = 200
/** From here on numbers are written with an exponent, so that their digits are not taken as exact. */
const WRITTEN_WITH_EXPONENT = 1e21

/** The first part of a value that would be lost; null when there is none. */
export function findLoss(value: unknown, depth = 0): Loss | null {
  const message = lossOf(value)
  if (message) return { path: [], message }
  if (typeof value !== 'object' || value === null) return null
  if (depth > MAX_DEPTH) return { path: [], message: 'is nested too deeply' }
  for (const [key, child] of Object.entries(value)) {
    const isInexact = typeof child === 'number' && inexactSource(value, key) !== undefined
    const loss = isInexact
      ? { path: [], message: LOSES_DIGITS }
      : (findLoss(key) ?? findLoss(child, depth + 1))
    if (loss) return { ...loss, path: [key, ...loss.path] }
  }
  return null
}

function lossOf(value: unknown): string | null {
  switch (typeof value) {
    case 'number':
      return lossOfNumber(value)
    case 'string': {
      const text = storableText(value)
      return text.ok ? null : text.message
    }
    case 'boolean':
    case 'object':
      return null
    default:
      return `must be JSON, which has no ${typeof value}`
  }
}

function lossOfNumber(value: number): string | null {
  if (Number.isSafeInteger(value)) return null
  if (!Number.isFinite(value)) return 'must be sent as a string: the number is too large'
  return Number.isInteger(value) && Math.abs(value) < WRITTEN_WITH_EXPONENT
    ? 'must be sent as a string: a number beyond 2^53 - 1 loses digits'
    : null
}
