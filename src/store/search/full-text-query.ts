/** Full-text queries of SQLite for the rows that can contain a search term, and the SQL functions that make them. */
import { MAX_PARTS, partsOf } from './words.ts'

/** A word of the list, with its number: a word gets the next number when it is met for the first time. */
type NumberedWord = readonly [number: number, word: string]

/** Terms of FTS5 that must all be in the text. */
export const allOf = (terms: readonly string[]) => terms.map(quoted).join(' AND ')

const quoted = (term: string) => `"${term.replaceAll('"', '""')}"`

/** The words that contain a part of a term. Others may contain it too if not all were compared with it. */
type FoundWords = readonly [areAll: 0 | 1, words: readonly NumberedWord[]]

/** The query for texts that contain a folded term, from the words found for each of its parts. Null when too many may contain each. */
export function fullTextQuery(term: string, found: readonly FoundWords[]): string | null {
  const queries = partsOf(term).flatMap(({ marked }, index) => {
    const [areAll, words] = found[index] ?? [0, []]
    if (!areAll) return []
    // A frequent word is met early, so that its number is low.
    const frequency = words.reduce((sum, [number]) => sum + 1 / number, 0)
    return [
      { frequency, query: [...words.map(([, word]) => quoted(word)), `(${allOf(marked)})`].join(' OR ') },
    ]
  })
  if (queries.length === 0) return null
  const rarest = queries.sort((a, b) => a.frequency - b.frequency).slice(0, MAX_PARTS)
  return rarest.map(({ query }) => `(${query})`).join(' AND ')
}

/** The names of SQL functions of SQLite. */
export const INDEXED_TEXT = 'octavo_indexed_text'
export const FOLDED_AND_INDEXED_TEXT = 'octavo_folded_indexed_text'
export const WORDS = 'octavo_words'
export const UNFOLDED_WORDS = 'octavo_unfolded_words'
export const UNLISTED_WORDS = 'octavo_unlisted_words'
export const FULL_TEXT_QUERY = 'octavo_full_text_query'
