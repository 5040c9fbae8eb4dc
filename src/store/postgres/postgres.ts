/**
 * The PostgreSQL engine: a pool for reads and writes, a transaction per write, a listener for other processes, and
 * replicas that answer what they have replayed.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { errors } from '../../errors.ts'
import { postgresPlan } from '../engine-plan.ts'
import { StartError } from '../errors.ts'
import type { Row, Statement } from '../statement.ts'
import { refuseTransactionControl } from '../statement.ts'
import type { Pool, Store, Transaction } from '../store.ts'
import {
  connectionConfig,
  createNames,
  createPool,
  createSockets,
  endPool,
  withClient,
} from './connection.ts'
import { postgresDialect } from './dialect.ts'
import {
  connectionLost,
  isAway,
  isConflict,
  isCrowded,
  isStale,
  startMessage,
  tookTooLong,
  translate,
} from './failures.ts'
import { PRIMARY_POSITION, parsePosition } from './position.ts'
import { IDENTITY, openReplicas, type Primary } from './replicas.ts'
import type { SiblingProcesses } from './sibling-processes.ts'
import { readSnapshot } from './snapshot.ts'
import { keepStatistics } from './statistics.ts'
import { inTransaction } from './transaction.ts'
import { followVersions } from './versions.ts'

export interface PostgresOptions {
  /** Connections that this process may hold. */
  readonly poolSize?: number
  /** Requests that may wait for one, and for how many milliseconds; past it they are refused. */
  readonly maxWaiting?: number
  readonly waitTimeout?: number
  /** Milliseconds after which the server gives up a statement. */
  readonly statementTimeout?: number
  /** Urls of streaming replicas, and the milliseconds that one may be behind before it is left out. */
  readonly replicas?: readonly string[]
  readonly replicaMaxLag?: number
  /** Where the processes of one server leave word for each other. */
  readonly coordination?: { readonly siblings: SiblingProcesses }
  /** Told when a replica is left out or taken back. */
  readonly notice?: (words: string) => void
}

const ATTEMPTS = 8

/** Connects to the server and answers with the store. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { maxWaiting = 5_000, waitTimeout = 5_000, statementTimeout = 30_000 } = options
  const config = connectionConfig(url, statementTimeout, waitTimeout)
  const poolSize = options.poolSize ?? 10
  const sockets = createSockets()
  const pool = createPool({ ...config, stream: sockets.make, max: poolSize, idleTimeoutMillis: 60_000 })
  const versions = await connectFirst(url, pool, () =>
    followVersions(config, pool, sockets.cut, options.coordination?.siblings),
  )
  const replicas = options.replicas?.length
    ? openReplicas(options.replicas, {
        config,
        poolSize,
        maxLag: options.replicaMaxLag ?? 10_000,
        primary: () => positionOf(pool),
        isPrimaryAway: versions.isAway,
        notice: options.notice ?? (() => {}),
      })
    : null
  const statistics = keepStatistics(
    (table) => analyze(pool, pg.escapeIdentifier(table)),
    async () => (await pool.query<{ name: string }>(UNKNOWN_TABLES)).rows.map(({ name }) => name),
  )
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
    return withClient(pool, async (client) => {
      let changesTables = false
      const send = (statement: Statement) => {
        changesTables ||= CHANGES_TABLES.test(statement.sql)
        return ask(client, statement)
      }
      try {
        const done = await inTransaction(send, entryIds, work)
        // A prepared statement keeps the types of its parameters, also when another table has taken the name of its own.
        if (changesTables) names.renew()
        return done
      } catch (error) {
        if (isStale(error)) names.renew()
        // The COMMIT may have reached the server before the connection broke.
        if (connectionLost(error)) versions.doubt()
        throw error
      }
    })
  }

  const refuse = () => {
    if (closing) throw errors.unavailable(1, 'The database is closed')
    // Whoever listens finds out when it is back; nobody else need wait for it.
    if (versions.isAway()) throw errors.unavailable(1, 'The database is away')
    if (pool.waitingCount >= maxWaiting)
      throw errors.unavailable(1, 'Too many requests wait for the database')
  }

  const readPrimary = async (statement: Statement): Promise<readonly Row[]> => {
    refuse()
    try {
      return await ask(pool, statement)
    } catch (error) {
      if (isStale(error)) names.renew()
      else if (!connectionLost(error)) throw error
    }
    // The server has dropped an idle connection or a prepared statement; a read can simply be asked again.
    refuse()
    return ask(pool, statement)
  }

  /** What a replica that has come so far answers; null when there is none, or it fails in a way that another may not. */
  const readReplica = async (
    statement: Statement,
    needed: number,
    isLastResort = false,
  ): Promise<readonly Row[] | null> => {
    if (!replicas || closing) return null
    try {
      return await replicas.read(needed, (client) => ask(client, statement), isLastResort)
    } catch (error) {
      if (tookTooLong(error)) throw error
      if (isStale(error)) names.renew()
      return null
    }
  }

  const read: Store['read'] = async (statement, tables) => {
    refuseTransactionControl(statement.sql)
    reads++
    try {
      const rows = tables && (await readReplica(statement, versions.neededFor(tables)))
      return rows ?? (await readPrimary(statement))
    } catch (error) {
      // A primary that has vanished without a word looks like one that is crowded.
      const isLost = versions.isAway() || isAway(error) || isCrowded(error)
      const rows = isLost ? await readReplica(statement, versions.acknowledged(), true) : null
      if (!rows) throw translate(error)
      return rows
    }
  }

  return {
    dialect: postgresDialect,
    read,
    async readFirstRow(statement, tables) {
      const [row] = await read(statement, tables)
      return row ? Object.values(row) : null
    },
    async snapshot(work) {
      refuse()
      try {
        return await withClient(pool, (client) => readSnapshot((statement) => ask(client, statement), work))
      } catch (error) {
        throw translate(error)
      }
    },
    async write(work) {
      refuse()
      writes++
      for (let count = 1; ; count++) {
        try {
          const { result, touched } = await attempt(work)
          commits++
          versions.wrote(touched)
          statistics.changed(touched)
          // What the other processes cannot be told of is not acknowledged.
          if (touched.size > 0 && (await versions.announce(touched)) === null)
            throw errors.unavailable(1, 'The database went away; what was sent may be written or not')
          return result
        } catch (error) {
          if (count === ATTEMPTS || !(isConflict(error) || isStale(error))) throw translate(error)
          await sleep(randomInt(2, 8 * 2 ** count))
        }
      }
    },
    tableVersion: versions.of,
    globalVersion: versions.moment,
    requestArrived: () => {},
    positions: { latest: versions.latest, waitFor: versions.reach, catchUp: versions.keepUp },
    durabilityFailure: null,
    statements: {
      get reads() {
        return reads
      },
    },
    async explain({ sql, parameters }) {
      refuse()
      const text = `EXPLAIN (FORMAT JSON) ${sql}`
      const { rows } = await pool.query<Row>({ text, values: [...parameters] }).catch((error: unknown) => {
        throw translate(error)
      })
      return postgresPlan(String(rows[0]?.['QUERY PLAN']))
    },
    metrics: () => ({
      reads,
      writes,
      commits,
      writesWaiting: 0,
      pools: [
        poolFigures('primary', pool),
        ...(replicas?.pools() ?? []).map(([name, each]) => poolFigures(name, each)),
      ],
      replicas: replicas?.states() ?? [],
    }),
    close() {
      closing ??= Promise.all([
        ...[replicas?.close(), versions.close(), statistics.close()],
        endPool(pool, sockets.cut),
      ]).then(() => {})
      return closing
    },
  }
}

const UNKNOWN_TABLES = `SELECT relname AS name FROM pg_class
  WHERE relkind = 'r' AND reltuples < 0 AND relnamespace = current_schema()::regnamespace`

/** Has PostgreSQL look at a table. Of an empty one there is nothing to know. */
async function analyze(pool: pg.Pool, name: string) {
  const { rows } = await pool.query('SELECT pg_relation_size(to_regclass($1)) > 0 AS filled', [name])
  if (rows[0]?.filled) await pool.query(`ANALYZE ${name}`)
}

const CHANGES_TABLES = /^\s*(alter|create|drop)\s/i

const poolFigures = (name: string, { totalCount, idleCount, waitingCount }: pg.Pool): Pool => ({
  name,
  size: totalCount,
  idle: idleCount,
  waiting: waitingCount,
})

/** The first connection tells whether the url is right. */
async function connectFirst<Result>(url: string, pool: pg.Pool, next: () => Promise<Result>) {
  try {
    await pool.query('SELECT 1')
    return await next()
  } catch (error) {
    await pool.end()
    throw new StartError(startMessage(url, error))
  }
}

async function positionOf(pool: pg.Pool): Promise<Primary> {
  const { rows } = await pool.query<{ position: string; identity: string }>(
    `SELECT ${PRIMARY_POSITION}::text AS position, ${IDENTITY} AS identity`,
  )
  return { position: parsePosition(rows[0]?.position) ?? 0, identity: rows[0]?.identity ?? '' }
}
