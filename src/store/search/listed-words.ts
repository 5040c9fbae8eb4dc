/**
 * The words that search indexes on SQLite are known to list, so that most words of a text need not be looked up again. This takes
 * a third off the time in which rows are added to an index.
 */
import { wordsOfUnfolded } from './words.ts'

/** The words that are remembered, about 4 MB. With more, all are forgotten. */
const MAX_WORDS = 50_000

export interface ListedWords {
  /** The words of a text that an index may not list yet. The caller lists them, or calls `forget`. */
  take(index: string, text: string): readonly string[]
  /** Must be called when words may no longer be listed. */
  forget(): void
}

export function createListedWords(maxWords = MAX_WORDS): ListedWords {
  const known = new Map<string, Set<string>>()
  let size = 0

  function forget() {
    known.clear()
    size = 0
  }

  return {
    take(index, text) {
      if (size > maxWords) forget()
      const words = known.get(index) ?? new Set()
      known.set(index, words)
      const before = words.size
      const taken = wordsOfUnfolded(text, words)
      size += words.size - before
      return taken
    },
    forget,
  }
}
