/**
 * The PostgreSQL engine: a connection pool for reads and writes, a transaction per write, a listener for the writes of
 * other processes, and reads on replicas.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { errors } from '../../errors.ts'
import { postgresPlan } from '../engine-plan.ts'
import { StartError } from '../errors.ts'
import { NO_LIMITS, type ReadLimits } from '../reads/read-limits.ts'
import { type Row, refuseTransactionControl, type Statement } from '../statement.ts'
import type { Pool, Store, Transaction } from '../store.ts'
import {
  connectionConfig,
  createPool,
  createSockets,
  createStatementNames,
  endPool,
  withClient,
} from './connection/connection.ts'
import { checkServer } from './connection/server-check.ts'
import { postgresDialect } from './dialect.ts'
import { connectionLost, isConflict, isStale, startMessage, translate } from './failures.ts'
import { createLimitedReads } from './reads/limited-reads.ts'
import { routeReads } from './reads/route-reads.ts'
import { createTimeoutSetter } from './reads/statement-timeout.ts'
import { IDENTITY, openReplicas, type PrimaryState } from './replicas.ts'
import { readSnapshot } from './snapshot.ts'
import { keepStatistics } from './statistics.ts'
import { inTransaction } from './transaction.ts'
import { PRIMARY_POSITION, parsePosition } from './versions/position.ts'
import type { SiblingProcesses } from './versions/sibling-processes.ts'
import { followVersions } from './versions/versions.ts'

export interface PostgresOptions {
  /** The number of connections of this process. */
  readonly poolSize?: number
  /** How many requests may wait for a connection, and for how many milliseconds; more are refused. */
  readonly maxWaiting?: number
  readonly waitTimeout?: number
  /** The milliseconds after which the server cancels a statement. */
  readonly statementTimeout?: number
  /** The URLs of streaming replicas, and the milliseconds that a replica may lag before it is left out. */
  readonly replicas?: readonly string[]
  readonly replicaMaxLag?: number
  /** What the processes of one server share. */
  readonly coordination?: { readonly siblings: SiblingProcesses }
  /** Logs a message for the operator. */
  readonly notice?: (message: string) => void
}

const MAX_ATTEMPTS = 8

/** Connects to the server. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { maxWaiting = 5_000, waitTimeout = 5_000, statementTimeout = 30_000 } = options
  const config = connectionConfig(url, statementTimeout, waitTimeout)
  const poolSize = options.poolSize ?? 10
  const sockets = createSockets()
  const pool = createPool({ ...config, stream: sockets.create, max: poolSize, idleTimeoutMillis: 60_000 })
  const versions = await connectFirst(url, pool, () =>
    followVersions(config, pool, sockets.destroyAll, options.coordination?.siblings),
  )
  const replicas = options.replicas?.length
    ? openReplicas(options.replicas, {
        config,
        poolSize,
        maxLag: options.replicaMaxLag ?? 10_000,
        readPrimary: () => readPrimaryState(pool),
        isPrimaryUnreachable: versions.isUnreachable,
        notice: options.notice ?? (() => {}),
      })
    : null
  const names = createStatementNames()
  const longest = statementTimeout > 0 ? statementTimeout : Infinity
  const setTimeoutOf = createTimeoutSetter(longest)
  const limited = createLimitedReads({ poolSize, maxWaiting, waitTimeout, statementTimeout: longest })
  const statistics = keepStatistics(
    (table) =>
      withClient(pool, (client) => {
        setTimeoutOf(client, longest)
        return analyze(client, pg.escapeIdentifier(table))
      }),
    async () => (await pool.query<{ name: string }>(NEVER_ANALYZED)).rows.map(({ name }) => name),
  )
  const send = async (
    on: pg.Pool | pg.PoolClient,
    { sql, parameters }: Statement,
  ): Promise<readonly Row[]> => {
    const name = names.nameOf(sql)
    const values = [...parameters]
    return (await on.query<Row>(name === null ? { text: sql, values } : { text: sql, values, name })).rows
  }
  const entryIds = { next: 0, left: 0 }
  let reads = 0
  let writes = 0
  let commits = 0
  let closing: Promise<void> | null = null

  function attempt<Result>(work: (transaction: Transaction) => Promise<Result>) {
    return withClient(pool, async (client) => {
      setTimeoutOf(client, longest)
      let changesTables = false
      const sendHere = (statement: Statement) => {
        changesTables ||= CHANGES_TABLES.test(statement.sql)
        return send(client, statement)
      }
      try {
        const done = await inTransaction(sendHere, entryIds, work)
        // A prepared statement keeps the types of its parameters, even when another table now has the name it uses.
        if (changesTables) names.forgetAll()
        return done
      } catch (error) {
        if (isStale(error)) names.forgetAll()
        // The COMMIT may have reached the server before the connection broke.
        if (connectionLost(error)) versions.noteUnknownOutcome()
        throw error
      }
    })
  }

  const refuseIfUnavailable = () => {
    if (closing) throw errors.unavailable(1, 'The database is closed')
    // The listener notices when the server is back; requests need not wait for it.
    if (versions.isUnreachable()) throw errors.unavailable(1, 'Database unavailable')
    if (pool.waitingCount >= maxWaiting)
      throw errors.unavailable(1, 'Too many requests are waiting for the database')
  }

  const readWithin = routeReads({
    pool,
    replicas,
    versions,
    send(client, statement, milliseconds) {
      setTimeoutOf(client, milliseconds)
      return send(client, statement)
    },
    forgetStatements: names.forgetAll,
    refuseIfUnavailable,
    isClosing: () => closing !== null,
  })

  const read = async (
    statement: Statement,
    isAll: boolean,
    tables: readonly string[] | undefined,
    limits: ReadLimits = NO_LIMITS,
  ) => {
    refuseTransactionControl(statement.sql)
    reads++
    try {
      return await limited.read(statement, isAll, limits, readWithin(tables))
    } catch (error) {
      throw translate(error)
    }
  }

  return {
    dialect: postgresDialect,
    read: (statement, tables, limits) => read(statement, true, tables, limits),
    async readFirstRow(statement, tables, limits) {
      const [row] = await read(statement, false, tables, limits)
      return row ? Object.values(row) : null
    },
    async snapshot(work) {
      refuseIfUnavailable()
      try {
        return await withClient(pool, (client) => {
          setTimeoutOf(client, longest)
          return readSnapshot((statement) => send(client, statement), work)
        })
      } catch (error) {
        throw translate(error)
      }
    },
    async write(work) {
      refuseIfUnavailable()
      writes++
      for (let count = 1; ; count++) {
        try {
          const { result, touched } = await attempt(work)
          commits++
          versions.noteWrite(touched)
          statistics.noteWrite(touched)
          // A write that other processes cannot be notified of is not acknowledged.
          if (touched.size > 0 && (await versions.announce(touched)) === null)
            throw errors.unavailable(
              1,
              'The connection to the database was lost: the write may or may not be stored',
            )
          return result
        } catch (error) {
          if (count === MAX_ATTEMPTS || !(isConflict(error) || isStale(error))) throw translate(error)
          await sleep(randomInt(2, 8 * 2 ** count))
        }
      }
    },
    tableVersion: versions.tableVersion,
    globalVersion: versions.globalVersion,
    requestArrived: () => {},
    positions: { latest: versions.latest, waitFor: versions.waitFor, catchUp: versions.catchUp },
    durabilityFailure: null,
    statements: {
      get reads() {
        return reads
      },
    },
    async explain({ sql, parameters }) {
      refuseIfUnavailable()
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
      refusedReads: limited.refused,
      pools: [
        poolMetrics('primary', pool),
        ...(replicas?.pools() ?? []).map(([name, each]) => poolMetrics(name, each)),
      ],
      replicas: replicas?.states() ?? [],
    }),
    close() {
      closing ??= Promise.all([
        ...[replicas?.close(), versions.close(), statistics.close()],
        endPool(pool, sockets.destroyAll),
      ]).then(() => {})
      return closing
    },
  }
}

const NEVER_ANALYZED = `SELECT relname AS name FROM pg_class
  WHERE relkind = 'r' AND reltuples < 0 AND relnamespace = current_schema()::regnamespace`

/** Analyzes a table unless it is empty. */
async function analyze(client: pg.ClientBase, name: string) {
  const { rows } = await client.query('SELECT pg_relation_size(to_regclass($1)) > 0 AS filled', [name])
  if (rows[0]?.filled) await client.query(`ANALYZE ${name}`)
}

const CHANGES_TABLES = /^\s*(alter|create|drop)\s/i

const poolMetrics = (name: string, { totalCount, idleCount, waitingCount }: pg.Pool): Pool => ({
  name,
  size: totalCount,
  idle: idleCount,
  waiting: waitingCount,
})

/** The first connection shows whether the URL is right and the server can be used. */
async function connectFirst<Result>(url: string, pool: pg.Pool, next: () => Promise<Result>) {
  try {
    await checkServer(pool)
    return await next()
  } catch (error) {
    await pool.end()
    throw error instanceof StartError ? error : new StartError(startMessage(url, error))
  }
}

async function readPrimaryState(pool: pg.Pool): Promise<PrimaryState> {
  const { rows } = await pool.query<{ position: string; identity: string }>(
    `SELECT ${PRIMARY_POSITION}::text AS position, ${IDENTITY} AS identity`,
  )
  return { position: parsePosition(rows[0]?.position) ?? 0, identity: rows[0]?.identity ?? '' }
}
