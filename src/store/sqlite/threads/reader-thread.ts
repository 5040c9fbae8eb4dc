/** A thread for reads. `reads.ts` decides on the main thread which reads run here. */
import type { Row, SqlValue, Statement } from '../../statement.ts'
import { failureOf, type SqliteFailure } from '../failures.ts'
import { createSelect, openReader, type StatementLimits } from '../select.ts'
import { serveRequests } from './thread-entry.ts'

export interface ReaderRequest extends Statement, StatementLimits {
  /** Whether all rows are requested, or the values of the first. */
  readonly isAll: boolean
}

/** What was read, and the microseconds that it took. */
export interface ReaderResult {
  readonly rows: readonly Row[]
  readonly firstRow: readonly SqlValue[] | null
  readonly time: number
}

export type ReaderReply = ReaderResult | { readonly failure: SqliteFailure }

serveRequests(({ path }: { readonly path: string }) => {
  const database = openReader(path)
  const select = createSelect(database)
  const read = ({ sql, parameters, isAll, milliseconds, bytes }: ReaderRequest): ReaderReply => {
    const start = performance.now()
    const limits = { milliseconds, bytes }
    try {
      const rows = isAll ? select.rows(sql).read(parameters, limits, start) : []
      const firstRow = isAll ? null : select.firstRow(sql).read(parameters, limits, start)
      return { rows, firstRow, time: (performance.now() - start) * 1000 }
    } catch (error) {
      return { failure: failureOf(error) }
    }
  }
  return { reply: read, close: () => database.close() }
})
