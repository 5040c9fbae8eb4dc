/** The number that a person is typing. */

const INTEGER = /^[+-]?\d*$/
const DECIMAL = /^[+-]?\d*\.?\d*(?:e[+-]?\d*)?$/i

/**
 * The value of what was typed: null when it is empty, undefined when no number begins like this. A number that is not
 * complete yet, or that a JSON number would change, stays the text that was typed: the server says what is wrong with it.
 */
export function numberIn(typed: string, hasFraction: boolean): number | string | null | undefined {
  const text = hasFraction ? typed.trim().replace(',', '.') : typed.trim()
  if (text === '') return null
  if (!(hasFraction ? DECIMAL : INTEGER).test(text)) return undefined
  return String(Number(text)) === text ? Number(text) : text
}
