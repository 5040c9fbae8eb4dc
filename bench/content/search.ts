/**
 * Content to search: articles of made-up words that are as unequal in frequency as those of a language, and texts that the same
 * number of articles contains, however many there are.
 */
import type { Kind } from './restaurants.ts'

export const MATCHES = 20
const WORDS = 20_000
const TITLE_WORDS = 5
const BODY_WORDS = 40

/** The ranks by frequency of the words in each phrase, of which the first is very frequent and the last is not. */
const PHRASES = [
  [40, 400, 4_000],
  [300, 90, 2_500],
  [1_200, 600, 150],
  [25, 9_000, 700],
  [2_000, 3_000, 5_000],
] as const
const TEXTS = 5

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const STARTS = 'b c d f g h j k l m n p r s t v w br ch cl cr dr fl gr pl pr sh sp st th tr'.split(' ')
const VOWELS = 'a e i o u a e i o e ai ea ou'.split(' ')
const ENDS = ['', '', '', 'n', 'r', 's', 't', 'l', 'nd', 'ng', 'st', 'ck']

const oneOf = (items: readonly string[], random: () => number) =>
  items[Math.floor(random() * items.length)] ?? ''

const syllable = (random: () => number) => oneOf(STARTS, random) + oneOf(VOWELS, random) + oneOf(ENDS, random)

function vocabulary(): readonly string[] {
  const random = randomNumbers(1)
  const words = new Set<string>()
  while (words.size < WORDS) {
    const syllables = 1 + Math.floor(random() * 3)
    words.add(Array.from({ length: syllables }, () => syllable(random)).join(''))
  }
  return [...words]
}

/** Words of six characters that no other word contains. */
function rareTexts(words: readonly string[]): readonly string[] {
  const random = randomNumbers(2)
  const all = words.join(' ')
  const texts = new Set<string>()
  while (texts.size < TEXTS) {
    const text = syllable(random) + syllable(random)
    if (text.length === 6 && !all.includes(text)) texts.add(text)
  }
  return [...texts]
}

export interface SearchContent {
  /** Each is in `MATCHES` articles. */
  readonly phrases: readonly string[]
  readonly texts: readonly string[]
  readonly articles: Kind
}

/** So many articles of a content-type. */
export function searchContent(name: string, count: number): SearchContent {
  const words = vocabulary()
  const phrases = PHRASES.map((ranks) => ranks.map((rank) => words[rank]).join(' '))
  const texts = rareTexts(words)
  const planted = [...phrases, ...texts]
  const every = Math.floor(count / MATCHES)
  return {
    phrases,
    texts,
    articles: {
      ...{ name, plural: `${name}s`, count, targets: {} },
      document(index) {
        const random = randomNumbers(index + 3)
        // The word of rank r is r times as rare as the first.
        const some = (number: number) =>
          Array.from({ length: number }, () => words[Math.floor(WORDS ** random()) - 1]).join(' ')
        const text = index < every * MATCHES ? planted[index % every] : undefined
        const body = text === undefined ? some(BODY_WORDS) : `${some(20)} ${text} ${some(20)}`
        return { values: { title: some(TITLE_WORDS), body }, links: {} }
      },
    },
  }
}
