/** Reads the response to a write in its transaction, within the limits of the caller. Beyond one, nothing is written. */
import { errors } from '../errors.ts'
import { compile } from '../store/compile.ts'
import type { ReadLimits } from '../store/reads/read-limits.ts'
import { exceedsBytes } from '../store/reads/row-bytes.ts'
import type { Row, Statement } from '../store/statement.ts'
import type { Transaction } from '../store/store.ts'
import { jsonOf } from './results.ts'

/**
 * The row that the plan of a response returns, and its JSON; null if there is none. The time is limited only where the plan
 * can multiply its rows, because that takes two more statements on PostgreSQL.
 */
export async function readInWrite(
  transaction: Transaction,
  statement: Statement,
  { milliseconds, bytes }: Pick<ReadLimits, 'milliseconds' | 'bytes'>,
  canMultiply: boolean,
): Promise<{ readonly row: Row; readonly data: string } | null> {
  const limitTime = (limit: number | null) => {
    for (const setting of transaction.dialect.limitStatementTime(limit))
      transaction.run(compile(transaction.dialect, setting))
  }
  const isLimited = canMultiply && milliseconds < Number.POSITIVE_INFINITY
  if (isLimited) limitTime(milliseconds)
  const reading = transaction.all(statement)
  // For the statements that follow. After a failure there are none.
  if (isLimited) limitTime(null)
  const [row] = await reading
  if (!row) return null
  const data = jsonOf(row.data)
  if (exceedsBytes([data], bytes)) throw errors.responseTooLarge(bytes)
  return { row, data }
}
