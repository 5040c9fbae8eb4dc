/** Trigrams, the sequences of three characters by which a search index finds text. */

/** The name of the SQL function of SQLite that makes a full-text query of a text. */
export const TRIGRAMS = 'octavo_trigrams'

const SIZE = 3

/** Whether a search index can find text that contains this one: it needs at least three characters. */
export function hasTrigrams(text: string): boolean {
  // The first characters suffice: each has at most two code units. No stored text contains U+0000.
  return [...text.slice(0, 2 * SIZE)].length >= SIZE && !text.includes('\0')
}

/** More would hardly make a query more exact: with 16, a search of 300,000 rows for three words took twice as long. */
const MAX_TRIGRAMS = 8

/** The FTS5 query for texts that contain the trigrams of this one, spread over its length. Empty when it has none. */
export function trigramQuery(text: string): string {
  const characters = [...text]
  const count = characters.length - SIZE + 1
  const used = Math.min(count, MAX_TRIGRAMS)
  const trigrams = Array.from({ length: Math.max(used, 0) }, (_, index) => {
    const start = used === 1 ? 0 : Math.round((index * (count - 1)) / (used - 1))
    return characters.slice(start, start + SIZE).join('')
  })
  return [...new Set(trigrams)].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}
