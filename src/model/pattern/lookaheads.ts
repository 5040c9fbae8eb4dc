/** Splits `^(?=A)(?!B)C` into its leading lookaheads and the rest. */

interface Lookahead {
  readonly content: string
  readonly isNegative: boolean
}

export interface SplitPattern {
  readonly lookaheads: readonly Lookahead[]
  /** What follows the lookaheads, without the leading `^`. */
  readonly rest: string
}

/** Null when the pattern does not start with `^` and a lookahead, or cannot be split there. */
export function leadingLookaheads(source: string): SplitPattern | null {
  if (!source.startsWith('^')) return null
  const lookaheads: Lookahead[] = []
  let rest = source.slice(1)
  while (rest.startsWith('(?=') || rest.startsWith('(?!')) {
    const end = closingParenthesis(rest)
    if (end < 0) return null
    lookaheads.push({ content: rest.slice(3, end), isNegative: rest[2] === '!' })
    rest = rest.slice(end + 1)
  }
  const isRepeated = /^[*+?{]/.test(rest)
  if (lookaheads.length === 0 || isRepeated || hasTopLevelAlternative(rest)) return null
  return { lookaheads, rest }
}

/** The index of the parenthesis that closes the group at the start; -1 when there is none. */
function closingParenthesis(source: string): number {
  let depth = 0
  for (const { char, index } of syntaxOf(source)) {
    if (char === '(') depth++
    if (char === ')' && --depth === 0) return index
  }
  return -1
}

function hasTopLevelAlternative(source: string): boolean {
  let depth = 0
  for (const { char } of syntaxOf(source)) {
    if (char === '(') depth++
    if (char === ')') depth--
    if (char === '|' && depth === 0) return true
  }
  return false
}

/** The characters of a pattern that are not escaped and not in a class. */
function* syntaxOf(source: string): Generator<{ readonly char: string; readonly index: number }> {
  let isInClass = false
  for (let index = 0; index < source.length; index++) {
    const char = source.charAt(index)
    if (char === '\\') index++
    else if (isInClass) isInClass = char !== ']'
    else if (char === '[') isInClass = true
    else yield { char, index }
  }
}
