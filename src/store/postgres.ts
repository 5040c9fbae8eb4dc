/** The PostgreSQL engine: a pool for reads and writes, a transaction per write, and a listener for other processes. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { errors } from '../errors.ts'
import { postgresPlan } from './engine-plan.ts'
import { StartError } from './failure.ts'
import { connectionLost, isConflict, isStale, startMessage, translate } from './postgres-failures.ts'
import { inTransaction } from './postgres-transaction.ts'
import { getTypeParser } from './postgres-types.ts'
import { followVersions } from './postgres-versions.ts'
import type { Pool, Row, Statement, Store, Transaction } from './store.ts'

export interface PostgresOptions {
  /** Connections that this process may hold. */
  readonly poolSize?: number
  /** Milliseconds after which the server gives up a statement. */
  readonly statementTimeout?: number
}

const PREPARED_STATEMENTS = 500
/** Requests that may wait for a connection; past it they are refused. */
const WAITING = 2_000
const ATTEMPTS = 8

/** Connects to the server and answers with the store. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const config = clientConfig(url, options)
  const pool = new pg.Pool({ ...config, max: options.poolSize ?? 10, idleTimeoutMillis: 60_000 })
  // An idle connection that breaks leaves the pool by itself; the next one is new.
  pool.on('error', () => {})
  const versions = await connectFirst(url, pool, config)
  const names = createNames()
  const ask = async (
    on: pg.Pool | pg.PoolClient,
    { sql, parameters }: Statement,
  ): Promise<readonly Row[]> => {
    const name = names.of(sql)
    const values = [...parameters]
    return (await on.query<Row>(name === null ? { text: sql, values } : { text: sql, values, name })).rows
  }
  const entryIds = { next: 0, left: 0 }
  let reads = 0
  let writes = 0
  let commits = 0
  let closing: Promise<void> | null = null

  async function attempt<Result>(work: (transaction: Transaction) => Promise<Result>) {
    const client = await pool.connect()
    let broken = false
    const noteBroken = () => {
      broken = true
    }
    client.on('error', noteBroken)
    try {
      return await inTransaction((statement) => ask(client, statement), entryIds, work)
    } catch (error) {
      if (isStale(error)) names.renew()
      if (connectionLost(error)) {
        broken = true
        // The COMMIT may have reached the server before the connection broke.
        versions.bumpEverything()
      }
      throw error
    } finally {
      client.off('error', noteBroken)
      client.release(broken)
    }
  }

  const refuseCrowd = () => {
    if (closing) throw errors.unavailable(1, 'The database is closed')
    if (pool.waitingCount >= WAITING) throw errors.unavailable(1, 'Too many requests wait for the database')
  }

  const read = async (statement: Statement): Promise<readonly Row[]> => {
    reads++
    refuseCrowd()
    try {
      return await ask(pool, statement)
    } catch (error) {
      if (isStale(error)) names.renew()
      else if (!connectionLost(error)) throw translate(error)
    }
    // The server has dropped an idle connection or a prepared statement; a read can simply be asked again.
    return ask(pool, statement).catch((error) => {
      throw translate(error)
    })
  }

  return {
    engine: 'postgres',
    read,
    async readRow(statement) {
      const [row] = await read(statement)
      return row ? Object.values(row) : null
    },
    async write(work) {
      refuseCrowd()
      writes++
      for (let count = 1; ; count++) {
        try {
          const { result, touched } = await attempt(work)
          commits++
          versions.bump(touched)
          if (touched.size > 0) await versions.announce(touched)
          return result
        } catch (error) {
          if (count === ATTEMPTS || !(isConflict(error) || isStale(error))) throw translate(error)
          await sleep(randomInt(2, 8 * 2 ** count))
        }
      }
    },
    versionOf: versions.of,
    statements: {
      get reads() {
        return reads
      },
    },
    async explain({ sql, parameters }) {
      refuseCrowd()
      const text = `EXPLAIN (FORMAT JSON) ${sql}`
      const { rows } = await pool.query<Row>({ text, values: [...parameters] }).catch((error: unknown) => {
        throw translate(error)
      })
      return postgresPlan(String(rows[0]?.['QUERY PLAN']))
    },
    figures: () => ({ reads, writes, commits, writesWaiting: 0, pools: [poolFigures('primary', pool)] }),
    close() {
      closing ??= Promise.all([versions.close(), pool.end()]).then(() => {})
      return closing
    },
  }
}

const poolFigures = (name: string, { totalCount, idleCount, waitingCount }: pg.Pool): Pool => ({
  name,
  size: totalCount,
  idle: idleCount,
  waiting: waitingCount,
})

function clientConfig(url: string, { statementTimeout = 30_000 }: PostgresOptions): pg.ClientConfig {
  const settings = {
    // The generated statements are short; compiling them costs ten times what it saves.
    jit: 'off',
    timezone: 'UTC',
    statement_timeout: String(statementTimeout),
    idle_in_transaction_session_timeout: '60000',
  }
  return {
    connectionString: url,
    application_name: 'octavo',
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser },
  }
}

/** The first connection tells whether the url is right. */
async function connectFirst(url: string, pool: pg.Pool, config: pg.ClientConfig) {
  try {
    await pool.query('SELECT 1')
    return await followVersions(config, pool)
  } catch (error) {
    await pool.end()
    throw new StartError(startMessage(url, error))
  }
}

/** Names for the statements that the server should keep prepared: texts seen twice, up to a bound. */
function createNames() {
  const names = new Map<string, string>()
  const seen = new Set<string>()
  let given = 0
  return {
    of(sql: string): string | null {
      const name = names.get(sql)
      if (name) return name
      if (names.size >= PREPARED_STATEMENTS) return null
      if (!seen.delete(sql)) {
        if (seen.size >= PREPARED_STATEMENTS) seen.clear()
        seen.add(sql)
        return null
      }
      const fresh = `octavo_${++given}`
      names.set(sql, fresh)
      return fresh
    },
    /** Forgets all names: what was prepared under them no longer fits the tables. */
    renew() {
      names.clear()
      seen.clear()
    },
  }
}
