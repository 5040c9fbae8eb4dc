/** Many reads that see the database as it was at one moment. */
import { compile } from './compile.ts'
import type { Sql } from './sql.ts'
import type { Row, Statement } from './statement.ts'
import type { Store } from './store.ts'

export type Ask = (query: Sql) => Promise<readonly Row[]>

const plain = (sql: string): Statement => ({ sql, parameters: [] })

/**
 * Runs `work` on the database as it is now; what others write meanwhile is neither seen nor held up. For a process
 * that does nothing else with the store, and `work` that leaves nothing behind when it fails.
 */
export async function atOneMoment<Result>(
  store: Store,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  if (store.dialect.name === 'sqlite') {
    await store.read(plain('BEGIN'))
    try {
      return await work((query) => store.read(compile(store.dialect, query)))
    } finally {
      await store.read(plain('ROLLBACK'))
    }
  }
  return store.write(async (transaction) => {
    await transaction.all(plain('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY'))
    // Between two reads there may be a large file to copy.
    await transaction.all(plain('SET LOCAL idle_in_transaction_session_timeout = 0'))
    await transaction.all(plain('SET LOCAL statement_timeout = 0'))
    return work((query) => transaction.all(compile(store.dialect, query)))
  })
}
