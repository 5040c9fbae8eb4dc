/** The thread for reads that take long. Whether one is made here is decided by `reads.ts` on the main thread. */
import type { Row, SqlValue, Statement } from '../../statement.ts'
import { failureOf, type SqliteFailure } from '../failures.ts'
import { createSelect, openReader } from '../select.ts'
import { claim, type Places } from './offers.ts'
import { serve } from './thread-entry.ts'

/** A statement, of which all rows are wanted or the values of the first. */
export interface ReaderWish extends Statement {
  readonly all: boolean
  /** Where the main thread offers it, when that may come to it first. */
  readonly place: number | null
}

export interface ReaderOptions {
  readonly path: string
  readonly places: Places
}

/**
 * What was read, in the form that was wanted, and how many microseconds that took; or how it failed, or that the main
 * thread was there first.
 */
export type ReaderReply =
  | { readonly took: number; readonly rows: readonly Row[]; readonly row: readonly SqlValue[] | null }
  | { readonly failure: SqliteFailure }
  | 'taken'

serve(({ path, places }: ReaderOptions) => {
  const database = openReader(path)
  const select = createSelect(database)
  const read = ({ sql, parameters, all, place }: ReaderWish): ReaderReply => {
    if (place !== null && !claim(places, place)) return 'taken'
    const began = performance.now()
    try {
      const rows = all ? select.rows(sql).read(parameters) : []
      const row = all ? null : select.row(sql).read(parameters)
      return { rows, row, took: (performance.now() - began) * 1000 }
    } catch (error) {
      return { failure: failureOf(error) }
    }
  }
  return { answer: read, close: () => database.close() }
})
