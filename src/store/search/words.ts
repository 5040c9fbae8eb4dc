/**
 * The words of a text, by which a search index finds it. A word is a sequence of ASCII letters and digits and of any characters
 * beyond ASCII. Where words are not separated, as in Japanese, and where a word is very long, a text is indexed by the trigrams
 * of its characters instead, each with a mark before it.
 */
import { fold } from '../fold/fold.ts'

/** The shortest part of a word that is looked up, and the length of a trigram. */
export const SIZE = 3
/** Longer words are indexed by their trigrams. */
const MAX_LENGTH = 32
/** A character for private use. */
export const MARK = '\uE000'

/** A regular expression of PostgreSQL for the ASCII characters between words, except for the space. */
export const SEPARATOR = '[\x01-\x1f!-/:-@[-`{-\x7f]'

/**
 * The scripts that do not separate words: Thai to Burmese, Khmer, Chinese and Japanese. And the mark, so that no word of a text is
 * taken for a trigram.
 */
const UNSEPARATED = `\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3005-\u30FF\u3400-\u9FFF${MARK}\uF900-\uFAFF`

/** Any character from the first of these on. */
const MAY_BE_UNSEPARATED = /[\u0E00-\uFFFF]/

/** A regular expression of PostgreSQL for text with words that are indexed by their trigrams, if spaces separate its words. */
export const SPLIT_WORD = `[${UNSEPARATED}]|[^ ]{${MAX_LENGTH + 1}}`

const WORD_CHARACTER = '[^\\0-/:-@[-`{-\\x7f]'
const WORD = new RegExp(`${WORD_CHARACTER}+`, 'g')
const SPLIT = new RegExp(`[${UNSEPARATED}]|${WORD_CHARACTER}{${MAX_LENGTH + 1}}`, 'u')

/** A folded text as the words and trigrams that are indexed, with separators between them. */
export function indexedText(folded: string): string {
  if (!mayBeSplit(folded) || !SPLIT.test(folded)) return folded
  return folded.replace(WORD, (word) => (SPLIT.test(word) ? markedTrigrams(word).join(' ') : word))
}

/** The words of a folded text that are in the list of words, each once, the most frequent ones first. */
export function wordsOf(folded: string): readonly string[] {
  const counts = [...countWords(folded)].filter(([word]) => isListed(word))
  return counts.sort(([, a], [, b]) => b - a).map(([word]) => word)
}

const isListed = (word: string) => hasTrigram(word) && !(mayBeSplit(word) && SPLIT.test(word))

/** A word that is listed as it is. Most words of most texts are. */
const PLAIN = new RegExp(`^[0-9a-z]{${SIZE},${MAX_LENGTH}}$`)

/** V8 copies shorter slices of a text. A longer one would keep the whole text in memory. */
const MAX_REMEMBERED = 12

/**
 * The same for a text that is not folded, in the order of the text and without those already `known`, to which it adds the others.
 * Each word is folded once, which is possible because folding does not change where words end.
 */
export function wordsOfUnfolded(text: string, known = new Set<string>()): readonly string[] {
  const words = new Set<string>()
  visitDifferentWords(text, (word) => {
    if (!known.has(word)) words.add(word)
  })
  const listed = new Set<string>()
  for (const word of words) {
    if (word.length <= MAX_REMEMBERED) known.add(word)
    if (PLAIN.test(word)) {
      listed.add(word)
      continue
    }
    const folded = fold(word)
    if (isListed(folded)) listed.add(folded)
  }
  return [...listed]
}

/** How often each word is in a text. */
function countWords(folded: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of folded.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const HASH_FACTOR = 0x9e3779b1
const HASH_BITS = 13

/** Where the last word with each hash begins, perhaps in another text. */
const places = new Uint32Array(1 << HASH_BITS)

/**
 * Visits every word of a text, and most of them only once. Comparing a word with an earlier place of the text takes a fraction of
 * the time in which it is looked up in a set.
 */
function visitDifferentWords(text: string, visit: (word: string) => void): void {
  const units = unitsOf(text)
  for (let start = 0; start < text.length; start++) {
    let hash = 0
    let end = start
    for (let unit = units[end] ?? 0; isInWord(unit); unit = units[++end] ?? 0)
      hash = Math.imul(hash ^ unit, HASH_FACTOR)
    if (end === start) continue
    const hashed = hash >>> (32 - HASH_BITS)
    const place = places[hashed] ?? 0
    places[hashed] = start
    if (place >= start || !isWordAt(units, place, start, end)) visit(text.slice(start, end))
    start = end
  }
}

/** The code units of a text and a zero. Reading them takes a third of the time of `charCodeAt`. */
function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length + 1)
  Buffer.from(units.buffer).write(text, 'utf16le')
  return units
}

/** Whether the word from `start` to `end` is also at an earlier place. */
function isWordAt(units: Uint16Array, place: number, start: number, end: number): boolean {
  if (place > 0 && isInWord(units[place - 1] ?? 0)) return false
  for (let at = start; at < end; at++) if (units[place + at - start] !== units[at]) return false
  return !isInWord(units[place + end - start] ?? 0)
}

const ASCII_END = 0x80
const inWord = Uint8Array.from({ length: ASCII_END }, (_, unit) =>
  /[0-9A-Za-z]/.test(String.fromCharCode(unit)) ? 1 : 0,
)

const isInWord = (unit: number) => unit >= ASCII_END || inWord[unit] === 1

/** False only if no word is indexed by its trigrams. */
const mayBeSplit = (folded: string): boolean => MAY_BE_UNSEPARATED.test(folded) || hasLongWord(folded)

/** A word that is longer than allowed covers one of the places that are checked. */
function hasLongWord(text: string): boolean {
  for (let place = MAX_LENGTH; place < text.length; place += MAX_LENGTH + 1) {
    let start = place
    while (start >= 0 && isInWord(text.charCodeAt(start))) start--
    let end = place
    while (end < text.length && isInWord(text.charCodeAt(end))) end++
    if (end - start - 1 > MAX_LENGTH) return true
  }
  return false
}

/** Up to two code units are one character. */
const hasTrigram = (word: string) =>
  word.length >= SIZE && (word.length > 2 * SIZE || [...word].length >= SIZE)

/** The trigrams of a word; the word itself if it is shorter. */
function trigramsOf(word: string): readonly string[] {
  const characters = [...word]
  if (characters.length <= SIZE) return [word]
  return characters.slice(SIZE - 1).map((_, start) => characters.slice(start, start + SIZE).join(''))
}

const markedTrigrams = (word: string) => trigramsOf(word).map((trigram) => MARK + trigram)

/** A word of a search term, or a part of a word where the term begins or ends with it. */
export interface TermPart {
  readonly text: string
  readonly startsWord: boolean
  readonly endsWord: boolean
  /** Trigrams that the words of the list with this part contain. */
  readonly trigrams: readonly string[]
  /** What is indexed of a text with this part, if its word is split into trigrams. */
  readonly marked: readonly string[]
  /** Whether every word with this part is split. */
  readonly isSplit: boolean
}

/** A text that contains the folded term contains every one of these parts. Empty when it has none that can be looked up. */
export function partsOf(folded: string): readonly TermPart[] {
  // No stored text contains U+0000.
  if (folded.includes('\0')) return []
  return [...folded.matchAll(WORD)].flatMap(({ 0: text, index }): TermPart[] => {
    if (!hasTrigram(text)) return []
    const trigrams = someOf(trigramsOf(text))
    return [
      {
        ...{ text, trigrams, marked: trigrams.map((trigram) => MARK + trigram), isSplit: SPLIT.test(text) },
        startsWord: index > 0,
        endsWord: index + text.length < folded.length,
      },
    ]
  })
}

/** A pattern for the words with the part, where `any` stands for any characters. Words contain no special character of a pattern. */
export const patternOf = ({ text, startsWord, endsWord }: TermPart, any: '%' | '*'): string =>
  `${startsWord ? '' : any}${text}${endsWord ? '' : any}`

/** More would hardly make a search more exact. */
const MAX_TRIGRAMS = 6

/** Some trigrams, spread over all of them. */
function someOf(trigrams: readonly string[]): readonly string[] {
  const step = Math.max(1, (trigrams.length - 1) / (MAX_TRIGRAMS - 1))
  const chosen = trigrams.filter((_, index) => Math.round(Math.round(index / step) * step) === index)
  return [...new Set(chosen)]
}

/** With more words that contain a part, looking up each takes longer than comparing the rows. */
export const MAX_WORDS = 500
/** The parts of a term that are looked up: the rarest ones. */
export const MAX_PARTS = 2
