/** Reads that all see the database as it was when they started: one read-only transaction on one connection. */
import { compile } from '../compile.ts'
import type { Row, Statement } from '../statement.ts'
import type { ReadRows } from '../store.ts'
import { postgresDialect } from './dialect.ts'

const plain = (sql: string): Statement => ({ sql, parameters: [] })

export async function readSnapshot<Result>(
  send: (statement: Statement) => Promise<readonly Row[]>,
  begin: (begin: string) => string,
  work: (read: ReadRows) => Promise<Result>,
): Promise<Result> {
  await send(plain(begin('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')))
  try {
    // The first query decides what the transaction sees. Between two reads the caller may copy a large file.
    await send(
      plain(`SELECT set_config('statement_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true)`),
    )
    return await work((query) => send(compile(postgresDialect, query)))
  } finally {
    await send(plain('ROLLBACK')).catch(() => {})
  }
}
