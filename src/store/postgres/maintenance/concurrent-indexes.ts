/**
 * Creates and drops indexes while reads and writes go on, each on a connection of its own: PostgreSQL does neither inside
 * a transaction, and both may take longer than any other statement. Processes take turns, because PostgreSQL would end one
 * of two such statements on the same table as a deadlock.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { errors } from '../../../errors.ts'
import { compile } from '../../compile.ts'
import { type Sql, sql } from '../../sql.ts'
import type { IndexDefinition } from '../../store.ts'
import { automaticIndexRows } from '../../tables/automatic-indexes.ts'
import { postgresDialect } from '../dialect.ts'
import { isStatementTimeout, translate } from '../failures.ts'
import { TAKE_TURN } from './index-turn.ts'

export interface ConcurrentIndexes {
  /** Creates an index unless it exists; replaces one that an interrupted attempt has left invalid. */
  create(index: IndexDefinition, signal?: AbortSignal): Promise<void>
  drop(name: string): Promise<void>
}

/**
 * `config` is that of a connection; `pool` is used to cancel. Unless it is direct, each statement may run on another
 * connection of a pooler, without the settings that are needed.
 */
export function createConcurrentIndexes(
  config: () => pg.ClientConfig,
  pool: pg.Pool,
  isDirect: boolean,
): ConcurrentIndexes {
  async function withConnection(work: (client: pg.Client) => Promise<void>): Promise<void> {
    if (!isDirect)
      throw new Error('Indexes are created without the pooler: set database.directUrl to allow that')
    const client = new pg.Client(config())
    // A connection that breaks fails the statement that runs on it.
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(SETTINGS)
      await work(client)
    } catch (error) {
      // The statements have no time limit.
      throw isStatementTimeout(error) ? errors.unavailable(1, CANCELLED) : translate(error)
    } finally {
      await client.end().catch(() => {})
    }
  }

  /**
   * Waits until no other process creates or drops an index; the turn ends with the connection. Asks again and again, because
   * an index is not finished before the statements that began earlier, so it would wait for one that waits for the turn.
   */
  async function takeTurn(client: pg.Client, signal?: AbortSignal) {
    for (;;) {
      signal?.throwIfAborted()
      const { rows } = await client.query<{ taken: boolean }>(TAKE_TURN)
      if (rows[0]?.taken) return
      await sleep(RETRY_MS, undefined, { signal })
    }
  }

  const run = (client: pg.Client, statement: Sql) => client.query(compile(postgresDialect, statement).sql)

  return {
    create: (index, signal) =>
      withConnection(async (client) => {
        await takeTurn(client, signal)
        const { name } = index
        const { rows: found } = await client.query<{ valid: number }>(STATE, [name])
        if (found[0]?.valid === 1) return
        if (found[0]?.valid === 0) await run(client, sql`DROP INDEX CONCURRENTLY ${sql.id(name)}`)
        const { rows: own } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
        const cancel = () => void pool.query('SELECT pg_cancel_backend($1)', [own[0]?.pid]).catch(() => {})
        signal?.addEventListener('abort', cancel)
        try {
          const rows = automaticIndexRows(postgresDialect, index)
          await run(client, sql`CREATE INDEX CONCURRENTLY ${sql.id(name)} ON ${rows}`)
        } finally {
          signal?.removeEventListener('abort', cancel)
        }
      }),
    drop: (name) =>
      withConnection(async (client) => {
        await takeTurn(client)
        await run(client, sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql.id(name)}`)
      }),
  }
}

const RETRY_MS = 200

const CANCELLED = 'Changing the index was cancelled, because the content-types change'

const SETTINGS = 'SET default_transaction_read_only = off; SET statement_timeout = 0'

const STATE = `SELECT indisvalid AS valid FROM pg_index
  WHERE indexrelid = to_regclass(format('%I.%I', current_schema(), $1::text))`
