/** Ids for component entries, taken from the database in blocks. */
import type { Row, Statement } from '../statement.ts'

/** Ids that this process has taken from the sequence and not used yet. */
export interface EntryIds {
  next: number
  left: number
}

type All = (statement: Statement) => Promise<readonly Row[]>

/** The increment of the sequence `octavo_entry_ids`. */
export const ENTRY_ID_BLOCK = 1000

export async function reserveEntryIds(all: All, ids: EntryIds, count: number): Promise<number> {
  if (ids.left < count) {
    const blocks = Math.ceil(count / ENTRY_ID_BLOCK)
    const first = await consecutiveBlocks(all, blocks)
    // A concurrent write of this process may have taken a block too: the last one is kept.
    ids.next = first + count
    ids.left = blocks * ENTRY_ID_BLOCK - count
    return first
  }
  const first = ids.next
  ids.next += count
  ids.left -= count
  return first
}

/** A sequence never goes back, not even when the transaction is rolled back. */
async function consecutiveBlocks(all: All, count: number): Promise<number> {
  for (;;) {
    const rows = await all({
      sql: `SELECT nextval('octavo_entry_ids') AS first FROM generate_series(1, $1::int)`,
      parameters: [count],
    })
    const starts = rows.map((row) => Number(row.first))
    const [first = 0] = starts
    if (starts.every((start, index) => start === first + index * ENTRY_ID_BLOCK)) return first
  }
}
