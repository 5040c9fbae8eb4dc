/** A transaction on a PostgreSQL connection. Statements are pipelined: only those whose rows are needed are awaited. */
import { createHash } from 'node:crypto'
import type { Row, Statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { postgresDialect } from './dialect.ts'
import { type EntryIds, reserveEntryIds } from './entry-ids.ts'

/** Sends a statement on the connection; statements run in the order in which they are sent. */
export type Send = (statement: Statement) => Promise<readonly Row[]>

const plain = (sql: string): Statement => ({ sql, parameters: [] })

/** Runs the work between `begin`, a BEGIN READ WRITE, and COMMIT. Rejects with the first failure, after a rollback. */
export async function inTransaction<Result>(
  send: Send,
  begin: string,
  entryIds: EntryIds,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<{ readonly result: Result; readonly touched: ReadonlySet<string> }> {
  const failures: unknown[] = []
  const touched = new Set<string>()
  let ended = false

  // After a failure the server refuses all further statements; the first failure is the one to report.
  const all: Send = async (statement) => {
    if (ended) throw new Error('The transaction has ended')
    try {
      return await send(statement)
    } catch (error) {
      failures.push(error)
      throw failures[0]
    }
  }
  const sendWithoutWaiting = (sent: Promise<unknown>) => void sent.catch(() => {})

  const run = (statement: Statement) => {
    if (failures.length > 0) throw failures[0]
    sendWithoutWaiting(all(statement))
  }

  const transaction: Transaction = {
    dialect: postgresDialect,
    all,
    run,
    reserveEntryIds: (count) => reserveEntryIds(all, entryIds, count),
    // Statements sent after it run after it.
    lock(keys) {
      if (keys.length > 0) sendWithoutWaiting(all(lockStatement(keys)))
    },
    // Other processes may write at any time.
    touch: (table) => void touched.add(table),
  }

  try {
    sendWithoutWaiting(all(plain(begin)))
    const result = await work(transaction)
    if (failures.length > 0) throw failures[0]
    await all(plain('COMMIT'))
    // The server turns COMMIT into a rollback when an earlier statement has failed.
    if (failures.length > 0) throw failures[0]
    return { result, touched }
  } catch (error) {
    await send(plain('ROLLBACK')).catch(() => {})
    throw failures.length > 0 ? failures[0] : error
  } finally {
    ended = true
  }
}

/** Takes locks in a fixed order, so that two writers cannot wait for each other. */
function lockStatement(keys: readonly string[]): Statement {
  const hashes = [...new Set(keys)]
    .map((key) => createHash('sha256').update(key).digest().readBigInt64BE())
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return {
    sql: `SELECT pg_advisory_xact_lock(key)
      FROM unnest(string_to_array($1, ',')::bigint[]) WITH ORDINALITY AS keys (key, place) ORDER BY place`,
    parameters: [hashes.join(',')],
  }
}
