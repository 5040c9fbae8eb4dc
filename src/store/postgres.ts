/** The PostgreSQL engine: a pool for reads and writes, a transaction per write, and a listener for other processes. */
import { createHash, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { errors } from '../errors.ts'
import { StartError } from './failure.ts'
import { connectionLost, startMessage, translate } from './postgres-failures.ts'
import { listenForVersions } from './postgres-versions.ts'
import type { Row, SqlValue, Statement, Store, Transaction } from './store.ts'

export interface PostgresOptions {
  /** Connections that this process may hold. */
  readonly poolSize?: number
  /** Milliseconds after which the server gives up a statement. */
  readonly statementTimeout?: number
}

const PREPARED_STATEMENTS = 500
const WAITING = 2_000
const ATTEMPTS = 8
const ENTRY_ID_BLOCK = 1000

/** Connects to the server and answers with the store. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const config: pg.PoolConfig = {
    connectionString: url,
    application_name: 'octavo',
    options: `-c jit=off -c timezone=UTC -c statement_timeout=${options.statementTimeout ?? 30_000}`,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types: { getTypeParser },
  }
  const pool = new pg.Pool({ ...config, max: options.poolSize ?? 10, idleTimeoutMillis: 60_000 })
  // An idle connection that breaks leaves the pool by itself; the next one is new.
  pool.on('error', () => {})
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await pool.end()
    throw new StartError(startMessage(url, error))
  }
  const versions = await listenForVersions(config)
  const nameOf = createNames()
  const prepared = ({ sql, parameters }: Statement) => {
    const name = nameOf(sql)
    return name === null
      ? { text: sql, values: [...parameters] }
      : { text: sql, values: [...parameters], name }
  }
  const query = async (client: pg.Pool | pg.PoolClient, statement: Statement): Promise<readonly Row[]> =>
    (await client.query<Row>(prepared(statement))).rows
  const entryIds = { next: 0, left: 0 }
  let reads = 0
  let closing: Promise<void> | null = null

  /** One attempt: BEGIN, the work, COMMIT. */
  async function attempt<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const client = await pool.connect()
    const touched = new Set<string>()
    let broken: Error | undefined
    client.on('error', noteBroken)
    function noteBroken(error: Error) {
      broken = error
    }
    try {
      await client.query('BEGIN')
      const all = (statement: Statement) => query(client, statement)
      const result = await work({
        engine: 'postgres',
        all,
        run: async (statement) => void (await all(statement)),
        reserveEntryIds: (count) => reserveEntryIds(all, entryIds, count),
        lock: (keys) => lock(all, keys),
        touch: (table) => void touched.add(table),
      })
      if (touched.size > 0) await versions.notify(all, touched)
      await client.query('COMMIT')
      versions.bump(touched)
      return result
    } catch (error) {
      // A failed COMMIT may have reached the server: other readers must look again.
      versions.bump(touched)
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken ??= failure
      })
      throw error
    } finally {
      client.off('error', noteBroken)
      client.release(broken)
    }
  }

  return {
    engine: 'postgres',
    async read(statement) {
      reads++
      if (pool.waitingCount >= WAITING) throw errors.unavailable(1, 'Too many reads are waiting')
      try {
        return await query(pool, statement)
      } catch (error) {
        if (!connectionLost(error) || closing) throw translate(error)
        // The server may have dropped an idle connection; a read can simply be asked again.
        return query(pool, statement).catch((again) => {
          throw translate(again)
        })
      }
    },
    async write(work) {
      if (closing) throw errors.unavailable(1, 'The database is closed')
      if (pool.waitingCount >= WAITING) throw errors.unavailable(1, 'Too many writes are waiting')
      for (let count = 1; ; count++) {
        try {
          return await attempt(work)
        } catch (error) {
          if (count === ATTEMPTS || !isRetryable(error)) throw translate(error)
          await sleep(randomInt(2, 8 * 2 ** Math.min(count, 6)))
        }
      }
    },
    versionOf: versions.of,
    statements: {
      get reads() {
        return reads
      },
    },
    close() {
      closing ??= Promise.all([versions.close(), pool.end()]).then(() => {})
      return closing
    },
  }
}

const isRetryable = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')

/** Names for the statements that the server should keep prepared: texts seen twice, up to a bound. */
function createNames() {
  const names = new Map<string, string>()
  const seen = new Set<string>()
  return (sql: string): string | null => {
    const name = names.get(sql)
    if (name) return name
    if (names.size >= PREPARED_STATEMENTS) return null
    if (!seen.has(sql)) {
      if (seen.size >= PREPARED_STATEMENTS) seen.clear()
      seen.add(sql)
      return null
    }
    seen.delete(sql)
    const fresh = `octavo_${names.size + 1}`
    names.set(sql, fresh)
    return fresh
  }
}

type All = (statement: Statement) => Promise<readonly Row[]>

/** Takes locks in one order, whatever order they are asked for in, so that two writers cannot wait for each other. */
async function lock(all: All, keys: readonly string[]) {
  const hashes = [...new Set(keys)]
    .map((key) => createHash('sha256').update(key).digest().readBigInt64BE())
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  if (hashes.length === 0) return
  await all({
    sql: 'SELECT pg_advisory_xact_lock(key) FROM unnest(string_to_array($1, $2)::bigint[]) WITH ORDINALITY AS keys (key, place) ORDER BY place',
    parameters: [hashes.join(','), ','],
  })
}

/** The sequence gives blocks; a process hands out the ids of its block without asking again. */
async function reserveEntryIds(
  all: All,
  ids: { next: number; left: number },
  count: number,
): Promise<number> {
  if (ids.left < count) {
    const blocks = Math.ceil(count / ENTRY_ID_BLOCK)
    const first = await consecutiveBlocks(all, blocks)
    ids.next = first
    ids.left = blocks * ENTRY_ID_BLOCK
  }
  const first = ids.next
  ids.next += count
  ids.left -= count
  return first
}

async function consecutiveBlocks(all: All, count: number): Promise<number> {
  for (;;) {
    const rows = await all({
      sql: `SELECT nextval('octavo_entry_ids') AS first FROM generate_series(1, $1::int)`,
      parameters: [count],
    })
    const starts = rows.map((row) => Number(row.first))
    const [first = 0] = starts
    if (starts.every((start, index) => start === first + index * ENTRY_ID_BLOCK)) return first
  }
}

const identity = (text: string): SqlValue => text
const parseInteger = (text: string): SqlValue => {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}
const { builtins } = pg.types
const PARSERS = new Map<number, (text: string) => SqlValue>([
  [builtins.INT2, Number],
  [builtins.INT4, Number],
  [builtins.INT8, parseInteger],
  [builtins.FLOAT4, Number],
  [builtins.FLOAT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.OID, Number],
  [builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
])

/** Every other type stays the text that the server sends: JSON is spliced, never parsed. */
function getTypeParser(oid: number) {
  return PARSERS.get(oid) ?? identity
}
