/** What search indexes are, and how each engine keeps them. */
import type { Sql } from '../sql.ts'

/** Stored with the table of its type, to detect changes. */
export interface SearchIndex {
  readonly name: string
  /** The columns that it contains. */
  readonly columns: readonly string[]
  /** Increased when the text is made differently, so that existing indexes are built again. */
  readonly format: typeof FORMAT
}

export const FORMAT = 6

/** How a dialect keeps search indexes. */
export interface SearchDialect {
  /** A row when the database has, or allows, what search indexes need; null when they need nothing. */
  readonly isAvailable: Sql | null
  /** What makes search indexes available. */
  readonly prepare: readonly Sql[]
  /** Creates the index with the rows that the table has. */
  create(table: string, index: SearchIndex): readonly Sql[]
  /** Drops what may exist of the index. */
  drop(table: string, index: SearchIndex): readonly Sql[]
}
