/**
 * Translates a JavaScript regular expression without flags to the syntax of RE2. Where the same syntax has another meaning
 * (`.`, `\s`, `[]`), the meaning of JavaScript is kept. One difference remains: RE2 counts characters, where JavaScript
 * without the flag `u` counts characters beyond U+FFFF as two.
 */

/** Both end with a class, so that a hyphen after them is not read as a range. */
const SPACE =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}\\s'
const NOT_SPACE =
  '\\x00-\\x08\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}\\d'
const NOT_LINE_BREAK = '[^\\n\\r\\x{2028}\\x{2029}]'
const ANY = '[\\x00-\\x{10ffff}]'
const NONE = '[^\\x00-\\x{10ffff}]'

const LETTER = /^[A-Za-z]$/
const SYNTAX = /^[\\^$.*+?()[\]{}|-]$/

/** Null for lookaround, backreferences and what else RE2 cannot express. */
export function toRe2(source: string): string | null {
  let result = ''
  for (let at = 0; at < source.length; ) {
    const token = tokenAt(source, at)
    if (!token) return null
    result += token.text
    at = token.end
  }
  return result
}

interface Token {
  readonly text: string
  readonly end: number
}

function tokenAt(source: string, at: number): Token | null {
  const char = String.fromCodePoint(source.codePointAt(at) ?? 0)
  const next = at + char.length
  switch (char) {
    case '\\':
      return escapeAt(source, at, false)
    case '[':
      return classAt(source, at)
    case '(':
      return groupAt(source, at)
    case '.':
      return { text: NOT_LINE_BREAK, end: next }
    case '{': {
      const [repetition] = /^\{\d+(?:,\d*)?\}/.exec(source.slice(at)) ?? []
      return repetition ? { text: repetition, end: at + repetition.length } : { text: '\\{', end: next }
    }
    case '}':
    case ']':
      return { text: `\\${char}`, end: next }
    default:
      return { text: char, end: next }
  }
}

/** Groups need not capture. Inline flags are not supported. */
function groupAt(source: string, at: number): Token | null {
  const rest = source.slice(at)
  if (!rest.startsWith('(?')) return { text: '(?:', end: at + 1 }
  const [start] = /^\(\?(?::|<[\p{ID_Start}$_][\p{ID_Continue}$]*>)/u.exec(rest) ?? []
  return start ? { text: '(?:', end: at + start.length } : null
}

function classAt(source: string, at: number): Token | null {
  const isNegated = source[at + 1] === '^'
  let members = ''
  let end = at + (isNegated ? 2 : 1)
  while (source[end] !== ']') {
    if (end >= source.length) return null
    const char = String.fromCodePoint(source.codePointAt(end) ?? 0)
    const member = char === '\\' ? escapeAt(source, end, true) : { text: char, end: end + char.length }
    if (!member) return null
    // In JavaScript `[` has no meaning inside a class.
    members += char === '[' ? '\\[' : member.text
    end = member.end
  }
  const text = members === '' ? (isNegated ? ANY : NONE) : `[${isNegated ? '^' : ''}${members}]`
  return { text, end: end + 1 }
}

/** The escape at a backslash; null for backreferences and octal escapes. */
function escapeAt(source: string, at: number, isInClass: boolean): Token | null {
  const rest = source.slice(at)
  const [code, hex] = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(rest)?.filter(Boolean) ?? []
  if (code && hex) return codePoint(Number.parseInt(hex, 16), at + code.length)
  const control = /^\\c([A-Za-z])/.exec(rest)?.[1]
  if (control) return codePoint(control.charCodeAt(0) % 32, at + 3)
  const char = String.fromCodePoint(source.codePointAt(at + 1) ?? 0)
  const end = at + 1 + char.length
  switch (char) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
    case 't':
    case 'n':
    case 'r':
    case 'f':
    case 'v':
      return { text: `\\${char}`, end }
    case 's':
      return { text: isInClass ? SPACE : `[${SPACE}]`, end }
    case 'S':
      return { text: isInClass ? NOT_SPACE : `[${NOT_SPACE}]`, end }
    case 'b':
      return { text: isInClass ? '\\x08' : '\\b', end }
    case 'B':
      return { text: isInClass ? 'B' : '\\B', end }
    case '0':
      return /^\\0\d/.test(rest) ? null : { text: '\\x00', end }
    // `\u` without four digits, and `\k` and `\c`, have rules of their own.
    case 'u':
    case 'k':
    case 'c':
      return null
  }
  if (char >= '1' && char <= '9') return null
  // Any other escaped character is the character itself.
  return { text: LETTER.test(char) || !SYNTAX.test(char) ? char : `\\${char}`, end }
}

/** RE2 sees whole characters, so half of a surrogate pair cannot be expressed. */
const codePoint = (code: number, end: number): Token | null =>
  code >= 0xd800 && code <= 0xdfff ? null : { text: `\\x{${code.toString(16)}}`, end }
