/**
 * Case folding for the operators that ignore case: the same in JavaScript, SQLite and PostgreSQL. Each code point is
 * folded on its own (simple upper case, then simple lower case, of Unicode 16), so the length of a text never changes.
 */

/** The name of the SQL function in both engines. */
export const FOLD = 'octavo_fold'

/** Folds the case of a text in every script of Unicode. */
export function fold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (isHighSurrogate(unit)) {
      folded += foldCharacter(text.slice(index, index + 2))
      index++
    } else folded += String.fromCharCode(foldUnit(unit))
  }
  return folded
}

/** In a text of 400 characters, twice as fast as a loop. */
const BEYOND_ASCII = /[\u0080-\uffff]/

/** A cache of folded code units of the basic plane; zero means not computed yet. */
const units = new Uint16Array(0x10000)

function foldUnit(unit: number): number {
  const known = units[unit]
  if (known) return known
  const folded = foldCharacter(String.fromCharCode(unit)).charCodeAt(0)
  units[unit] = folded
  return folded
}

/** Letters of Unicode 17, which Node may know and PostgreSQL 18 does not. */
const TOO_NEW = /^[\uA7CE\uA7D2\uA7D4\u{16EA0}-\u{16EB8}]/u

function foldCharacter(character: string): string {
  // In JavaScript its lower case has two code points, in the simple mapping one.
  if (character === '\u0130') return 'i'
  if (TOO_NEW.test(character)) return character
  return simple(simple(character, 'toUpperCase'), 'toLowerCase')
}

/** A mapping to several code points (ß to SS) is not simple, so the character is kept. */
function simple(character: string, mapping: 'toUpperCase' | 'toLowerCase'): string {
  const mapped = character[mapping]()
  return mapped.length === (isHighSurrogate(mapped.charCodeAt(0)) ? 2 : 1) ? mapped : character
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00
