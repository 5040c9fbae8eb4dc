/** A thread for reads. `reads.ts` decides on the main thread which reads run here. */
import { setPriority } from 'node:os'
import type { Row, SqlValue, Statement } from '../../statement.ts'
import { countedTime, runningTime } from '../deadline.ts'
import { failureOf, type SqliteFailure } from '../failures.ts'
import { createSelect, openReader, type StatementLimits } from '../select.ts'
import { serveRequests } from './thread-entry.ts'

export interface ReaderRequest extends Statement, StatementLimits {
  /** Whether all rows are requested, or the values of the first. */
  readonly isAll: boolean
}

/** What was read, and the microseconds that count as its duration. */
export interface ReaderResult {
  readonly rows: readonly Row[]
  readonly firstRow: readonly SqlValue[] | null
  readonly time: number
}

export type ReaderReply = ReaderResult | { readonly failure: SqliteFailure }

/** What a reader thread is started with. */
export interface ReaderData {
  readonly path: string
  /** Whether the main thread and other programs get the processor first. */
  readonly hasLowPriority: boolean
}

/** A third of the weight of other threads: enough to go on beside other programs. */
const LOW_PRIORITY = 5

/** On Linux a priority belongs to a thread; elsewhere it would change the whole process. */
function lowerPriority() {
  if (process.platform !== 'linux') return
  try {
    setPriority(LOW_PRIORITY)
  } catch {
    // A sandbox may forbid it. Reads are the same, and others wait a little longer for a processor.
  }
}

serveRequests(({ path, hasLowPriority }: ReaderData) => {
  if (hasLowPriority) lowerPriority()
  const database = openReader(path)
  const select = createSelect(database)
  const read = ({
    sql,
    parameters,
    isAll,
    milliseconds,
    bytes,
    isRunningTime = false,
  }: ReaderRequest): ReaderReply => {
    const start = performance.now()
    const ranBefore = runningTime()
    const limits = { milliseconds, bytes, isRunningTime }
    try {
      const rows = isAll ? select.rows(sql).read(parameters, limits, start) : []
      const firstRow = isAll ? null : select.firstRow(sql).read(parameters, limits, start)
      const time = countedTime(runningTime() - ranBefore, (performance.now() - start) * 1000)
      return { rows, firstRow, time }
    } catch (error) {
      return { failure: failureOf(error) }
    }
  }
  return { reply: read, close: () => database.close() }
})
