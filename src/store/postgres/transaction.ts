/** A transaction on a PostgreSQL connection. Statements whose rows are not needed are sent with the next one. */
import { createHash } from 'node:crypto'
import { insertStatements, type Row, type Statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { postgresDialect } from './dialect.ts'
import { type EntryIds, reserveEntryIds } from './entry-ids.ts'

/** Sends statements on the connection, which run in order; resolves with the rows of the last one. */
export type SendAll = (statements: readonly Statement[]) => Promise<readonly Row[]>

export const COMMIT = 'COMMIT'

const plain = (sql: string): Statement => ({ sql, parameters: [] })

/** Rows that one statement inserts. */
const MAX_ROWS = 64
const rowsPerStatement = (left: number) => Math.min(MAX_ROWS, left)

/** Statements that are held back at most. */
const MAX_HELD = 64

/** Runs the work between `begin`, which begins a transaction, and COMMIT. Rejects with the first failure, after a rollback. */
export async function inTransaction<Result>(
  send: SendAll,
  begin: string,
  entryIds: EntryIds,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<{ readonly result: Result; readonly touched: ReadonlySet<string> }> {
  const failures: unknown[] = []
  const touched = new Set<string>()
  /** Sent with the next statement whose rows are awaited. */
  let held = [plain(begin)]
  let hasBegun = false
  let committing: Promise<unknown> | null = null
  let ended = false

  /** Settles when it is known which of the statements sent so far have failed. */
  let outcomes: Promise<unknown> = Promise.resolve()

  // After a failure the server refuses all further statements; the first failure is the one to report.
  async function sendHeld(...last: readonly Statement[]): Promise<readonly Row[]> {
    if (ended || committing) throw new Error('The transaction has ended')
    const statements = [...held, ...last]
    held = []
    hasBegun = true
    const earlier = outcomes
    const sent = send(statements).catch(async (error: unknown) => {
      // Failures that arrive together are not always noticed in the order of the statements.
      await earlier
      failures.push(error)
      throw failures[0]
    })
    outcomes = Promise.allSettled([earlier, sent])
    return sent
  }

  const all = (statement: Statement) => sendHeld(statement)

  function hold(statement: Statement) {
    held.push(statement)
    if (held.length >= MAX_HELD) sendHeld().catch(() => {})
  }

  const transaction: Transaction = {
    dialect: postgresDialect,
    all,
    run(statement) {
      if (failures.length > 0) throw failures[0]
      hold(statement)
    },
    append(insert) {
      if (failures.length > 0) throw failures[0]
      for (const statement of insertStatements(insert, rowsPerStatement)) hold(statement)
    },
    reserveEntryIds: (count) => reserveEntryIds(all, entryIds, count),
    lock(keys) {
      if (keys.length > 0) hold(lockStatement(keys))
    },
    // Other processes may write at any time.
    touch: (table) => void touched.add(table),
    complete() {
      if (failures.length > 0) throw failures[0]
      committing = sendHeld(plain(COMMIT))
      // Awaited below.
      committing.catch(() => {})
    },
  }

  try {
    const result = await work(transaction)
    if (failures.length > 0) throw failures[0]
    await (committing ?? all(plain(COMMIT)))
    // The server turns COMMIT into a rollback when an earlier statement has failed, which may not have been noticed yet.
    await outcomes
    if (failures.length > 0) throw failures[0]
    return { result, touched }
  } catch (error) {
    if (hasBegun) await send([plain('ROLLBACK')]).catch(() => {})
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
  if (hashes.length === 1) return { sql: 'SELECT pg_advisory_xact_lock($1)', parameters: [String(hashes[0])] }
  return {
    sql: `SELECT pg_advisory_xact_lock(key)
      FROM unnest(string_to_array($1, ',')::bigint[]) WITH ORDINALITY AS keys (key, place) ORDER BY place`,
    parameters: [hashes.join(',')],
  }
}
