/** The page of a list requested by cursor: its documents in order, and the cursors of the next and the previous page. */
import {
  type CursorPage,
  type Cursors,
  type DecodedCursor,
  encodeCursor,
  isBackward,
  type SortPosition,
} from '../query/cursor.ts'
import type { Row, SqlValue } from '../store/statement.ts'

interface PageOfRows {
  /** JSON of the list. */
  readonly data: string
  readonly cursors: Cursors
}

/** `rows` holds one row more than `limit` when more documents follow. */
export function cursorPageOf(
  { query, from, keyCount }: CursorPage,
  rows: readonly Row[],
  limit: number,
): PageOfRows {
  const backward = from !== null && isBackward(from.direction)
  // When there are no documents, the count is returned in a row of its own.
  const found = rows.filter((row) => row.id !== null)
  const page = found.slice(0, limit)
  if (backward) page.reverse()
  const hasMore = found.length > limit
  const first = page[0]
  const last = page.at(-1)
  const positionOf = (row: Row): SortPosition => ({
    id: Number(row.id),
    keys: Array.from({ length: keyCount }, (_, index): SqlValue => row[`k${index}`] ?? null),
  })
  return {
    data: `[${page.map(({ data }) => String(data)).join(',')}]`,
    cursors:
      first && last
        ? {
            next: backward || hasMore ? encodeCursor(query, '>', positionOf(last)) : null,
            previous: (backward ? hasMore : from !== null)
              ? encodeCursor(query, '<', positionOf(first))
              : null,
          }
        : cursorsOfEmptyPage(query, from),
  }
}

/** Behind the last document, the way back starts with the document that the cursor names; the same at the front. */
function cursorsOfEmptyPage(query: string, from: DecodedCursor | null): Cursors {
  if (from === null) return { next: null, previous: null }
  return isBackward(from.direction)
    ? { next: encodeCursor(query, '>=', from.position), previous: null }
    : { next: null, previous: encodeCursor(query, '<=', from.position) }
}
