/** The part of a walk through a list that one answer shows: the documents in order, and the cursors to both sides. */
import {
  type CursorPage,
  type Cursors,
  type DecodedCursor,
  encodeCursor,
  isBackward,
  type SortPosition,
} from '../query/cursor.ts'
import type { Row, SqlValue } from '../store/statement.ts'

interface Part {
  /** JSON text of the list. */
  readonly data: string
  readonly cursors: Cursors
}

/** What to show of the rows read, of which there is one more than the page takes when the walk goes on behind it. */
export function partOf(
  { query, from, keyCount: keys }: CursorPage,
  read: readonly Row[],
  limit: number,
): Part {
  const backward = from !== null && isBackward(from.direction)
  // A count without documents comes alone in a row.
  const found = read.filter((row) => row.id !== null)
  const near = found.slice(0, limit)
  const rows = backward ? near.reverse() : near
  const goesOn = found.length > limit
  const first = rows[0]
  const last = rows.at(-1)
  const marked = (row: Row): SortPosition => ({
    id: Number(row.id),
    keys: Array.from({ length: keys }, (_, index): SqlValue => row[`k${index}`] ?? null),
  })
  return {
    data: `[${rows.map(({ data }) => String(data)).join(',')}]`,
    cursors:
      first && last
        ? {
            next: backward || goesOn ? encodeCursor(query, '>', marked(last)) : null,
            previous: (backward ? goesOn : from !== null) ? encodeCursor(query, '<', marked(first)) : null,
          }
        : aroundNothing(query, from),
  }
}

/** Where nothing is left on one side of a mark, the other side begins with the document at the mark. */
function aroundNothing(query: string, from: DecodedCursor | null): Cursors {
  if (from === null) return { next: null, previous: null }
  return isBackward(from.direction)
    ? { next: encodeCursor(query, '>=', from.position), previous: null }
    : { next: null, previous: encodeCursor(query, '<=', from.position) }
}
