/** A conservative check that JavaScript runs a pattern without exponential backtracking. */

const MAX_ALTERNATIVES = 4

/**
 * At most one repetition of variable length, of a single character or class and in a pattern that starts with `^`; no
 * repeated group; few alternatives. Other patterns may be harmless too, but are not recognised.
 */
export function isBounded(source: string): boolean {
  const outline = source
    .replace(/\\(?:[\s\S])/g, 'x')
    .replace(/\[[^\]]*(?:\]|$)/g, 'x')
    .replace(/\(\?(?:<?[=!]|:|<\w+>)/g, '(')
  if (outline.includes('(?') || /[{,]\d{5}/.test(outline)) return false
  const repetitions = [...outline.matchAll(/(.?)([*+?]|\{\d+(,\d*)?\})\??/g)]
  const variable = repetitions.filter(([, , quantifier = '', range]) => !quantifier.startsWith('{') || range)
  const alternatives = outline.split('|').length - 1
  return (
    repetitions.every(([, repeated]) => repeated !== ')') &&
    (variable.length === 0 || (variable.length === 1 && outline.startsWith('^'))) &&
    alternatives <= MAX_ALTERNATIVES
  )
}
