/** The counters that give rows and component entries their ids, and edges their positions: read by an export, advanced by an import. */
import { compile } from '../compile.ts'
import type { Dialect } from '../dialect.ts'
import { sql } from '../sql.ts'
import type { ReadRows, Transaction } from '../store.ts'
import { EDGES } from './layout.ts'

/** The highest id that a table has given to a row, even to a deleted one; 0 when it has given none. */
export async function highestRowId(read: ReadRows, dialect: Dialect, table: string): Promise<number> {
  const [row] = await read(dialect.highestRowId(table))
  return Number(row?.highest ?? 0)
}

/** The highest id that a component entry may have; 0 when there is none. */
export async function highestEntryId(read: ReadRows, dialect: Dialect): Promise<number> {
  const [row] = await read(dialect.highestEntryId)
  return Number(row?.highest ?? 0)
}

/** Makes the next row of a table get an id above `highest`, and above every id it has given before. */
export async function advanceRowIds(transaction: Transaction, table: string, highest: number) {
  const { dialect } = transaction
  for (const query of dialect.advanceRowIds(table, highest)) await transaction.all(compile(dialect, query))
}

/** Makes the next component entry get an id above `highest`, and above every id given before. */
export async function advanceEntryIds(transaction: Transaction, highest: number) {
  const { dialect } = transaction
  await transaction.all(compile(dialect, dialect.advanceEntryIds(highest)))
}

/** Makes new edges come after all that are stored, in the lists of their targets. */
export function advancePositions(transaction: Transaction) {
  const { dialect } = transaction
  const highest = sql`(SELECT coalesce(max(inverse_position), 0) FROM ${sql.table(EDGES)})`
  for (const query of dialect.advancePositions(highest)) transaction.run(compile(dialect, query))
}
