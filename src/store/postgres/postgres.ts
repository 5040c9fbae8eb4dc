/**
 * The PostgreSQL engine: a connection pool for reads and writes, a transaction per write, a listener for the writes of
 * other processes, and reads on replicas.
 */
import type pg from 'pg'
import { errors } from '../../errors.ts'
import { compile } from '../compile.ts'
import { postgresPlan } from '../engine-plan.ts'
import { StartError } from '../errors.ts'
import { NO_LIMITS, type ReadLimits } from '../reads/read-limits.ts'
import { slowReadsOfPool } from '../reads/slow-reads.ts'
import { indexWhenIdle } from '../search/index-when-idle.ts'
import { addFunctions, addPending, MERGE_DELAY } from '../search/postgres-search.ts'
import { refuseTransactionControl, type Statement } from '../statement.ts'
import type { Pool, Store } from '../store.ts'
import { withClient } from './connection/connection.ts'
import { openConnections } from './connection/connections.ts'
import { PRIMARY_TIMELINE } from './connection/hosts.ts'
import { checkServer } from './connection/server-check.ts'
import { postgresDialect } from './dialect.ts'
import { POOLER_HINT, showsPooler, startMessage, translate } from './failures.ts'
import { createConcurrentIndexes } from './maintenance/concurrent-indexes.ts'
import { keepDatabaseStatistics } from './maintenance/statistics.ts'
import { createLimitedReads } from './reads/limited-reads.ts'
import { routeReads } from './reads/route-reads.ts'
import { createSharedConnections } from './reads/shared-connections.ts'
import { IDENTITY, openReplicas, type PrimaryState } from './replicas.ts'
import { readSnapshot } from './snapshot.ts'
import { PRIMARY_POSITION, parsePosition } from './versions/position.ts'
import type { SiblingProcesses } from './versions/sibling-processes.ts'
import { followVersions } from './versions/versions.ts'
import { createWrites } from './writes.ts'

export interface PostgresOptions {
  /** The number of connections of this process. */
  readonly poolSize?: number
  /** How many of them slow reads can have; null for a number that suits the pool and the machine. */
  readonly slowReads?: number | null
  /** How many requests may wait for a connection, and for how many milliseconds; more are refused. */
  readonly maxWaiting?: number
  readonly waitTimeout?: number
  /** The milliseconds after which the server cancels a statement. */
  readonly statementTimeout?: number
  /** The URLs of streaming replicas, and the milliseconds that a replica may lag before it is left out. */
  readonly replicas?: readonly string[]
  readonly replicaMaxLag?: number
  /** False behind a transaction pooler: no statement is prepared, and no setting outlives its transaction. */
  readonly prepare?: boolean
  /** The URL of the same database without the pooler, for notifications, migrations and long reads. */
  readonly directUrl?: string | null
  /** The schema of all tables; by default the first one in the search path of the user. */
  readonly schema?: string | null
  /** What the processes of one server share. */
  readonly coordination?: { readonly siblings: SiblingProcesses }
  /** Logs a message for the operator. */
  readonly notice?: (message: string) => void
}

/** Connects to the server. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { maxWaiting = 5_000, waitTimeout = 5_000, statementTimeout = 30_000 } = options
  const longest = statementTimeout > 0 ? statementTimeout : Infinity
  const { prepare = true, directUrl = null, schema = null } = options
  const poolSize = options.poolSize ?? 10
  const connections = openConnections(url, {
    ...{ poolSize, prepare, directUrl, schema, waitTimeout },
    statementTimeout: longest,
  })
  const { main, long, direct } = connections
  const { pool } = main
  const versions = await connectFirst(
    url,
    async () => {
      await connections.findPrimary()
      await checkServer((sql) => connections.read(main, sql), schema)
      return followVersions({
        config: connections.ownConfig,
        findPrimary: connections.findPrimary,
        pool,
        canListen: prepare || directUrl !== null,
        onUnreachable: connections.destroyAll,
        siblings: options.coordination?.siblings ?? null,
      })
    },
    connections.end,
  )
  const replicas = options.replicas?.length
    ? openReplicas(options.replicas, {
        config: direct.config(url),
        poolSize,
        maxLag: options.replicaMaxLag ?? 10_000,
        readPrimary: () => readPrimaryState(pool),
        isPrimaryUnreachable: versions.isUnreachable,
        primaryConnections: versions.connections,
        notice: options.notice ?? (() => {}),
      })
    : null
  const limited = createLimitedReads({
    slowReads: Math.min(options.slowReads ?? slowReadsOfPool(poolSize, url), Math.max(poolSize - 1, 1)),
    ...{ poolSize, maxWaiting, waitTimeout },
    statementTimeout: longest,
  })
  const statistics = keepDatabaseStatistics((sql, ...parameters) =>
    connections.read(long, sql, ...parameters),
  )
  const isDirect = prepare || directUrl !== null
  const concurrentIndexes = createConcurrentIndexes(connections.ownConfig, pool, isDirect)
  let reads = 0
  let hasNoticedPooler = false
  let closing: Promise<void> | null = null

  function forgetStatements(error: unknown) {
    direct.names.forgetAll()
    if (!showsPooler(error) || hasNoticedPooler) return
    hasNoticedPooler = true
    direct.names.stop()
    options.notice?.(POOLER_HINT)
  }

  const refuseIfUnavailable = () => {
    if (closing) throw errors.unavailable(1, 'The database is closed')
    // The listener notices when the server is back; requests need not wait for it.
    if (versions.isUnreachable()) throw errors.unavailable(1, 'Database unavailable')
    if (pool.waitingCount >= maxWaiting)
      throw errors.unavailable(1, 'Too many requests are waiting for the database')
  }

  const writes = createWrites({ connections, versions, statistics, forgetStatements, longest })
  /** Adds the rows that wait to their search indexes; `merges` as in `addPending`. */
  const addRows = (merges: boolean) => async (isClosed: () => boolean) => {
    const functions = await connections.read(long, compile(postgresDialect, addFunctions).sql)
    if (functions.length === 0) return
    const names = functions.map(({ name }) => String(name))
    const add = compile(postgresDialect, addPending(names, merges))
    const addSome = async () => {
      const [row] = await writes.write((transaction) => transaction.all(add), true)
      return Number(row?.added)
    }
    while (!isClosed() && (await addSome()) > 0);
  }
  const idleIndexing = [indexWhenIdle(addRows(false)), indexWhenIdle(addRows(true), MERGE_DELAY)]
  const readWithin = routeReads({
    pool,
    // Behind a pooler, a read is a transaction of several statements.
    shared: prepare ? createSharedConnections(pool, sharedOf(poolSize)) : null,
    replicas,
    versions,
    send: main.session.read,
    sendTogether: main.session.readTogether,
    sendToReplica: direct.read,
    forgetStatements,
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
        return await withClient(long.pool, (client) =>
          readSnapshot(
            (statement) => long.session.send(client, statement),
            (begin) => long.session.begin(client, begin),
            work,
          ),
        )
      } catch (error) {
        throw translate(error)
      }
    },
    async write(work, { long: isLong = false } = {}) {
      refuseIfUnavailable()
      for (const idle of idleIndexing) idle.noteWrite()
      return writes.write(work, isLong)
    },
    tableVersion: versions.tableVersion,
    globalVersion: versions.globalVersion,
    requestArrived: () => {},
    schemaChanged: () => direct.names.forgetAll(),
    positions: { latest: versions.latest, waitFor: versions.waitFor, catchUp: versions.catchUp },
    durabilityFailure: null,
    statements: {
      get reads() {
        return reads
      },
    },
    async explain({ sql, parameters }) {
      refuseIfUnavailable()
      const explain = `EXPLAIN (FORMAT JSON) ${sql}`
      const [row] = await connections.read(main, explain, ...parameters).catch((error: unknown) => {
        throw translate(error)
      })
      return postgresPlan(String(row?.['QUERY PLAN']))
    },
    async createIndex(index, signal) {
      refuseIfUnavailable()
      await concurrentIndexes.create(index, signal)
    },
    async dropIndex(name) {
      refuseIfUnavailable()
      await concurrentIndexes.drop(name)
    },
    metrics: () => ({
      reads,
      ...writes.counts(),
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
        ...[
          replicas?.close(),
          versions.close(),
          statistics.close(),
          ...idleIndexing.map((idle) => idle.close()),
        ],
        connections.end(),
      ]).then(() => {})
      return closing
    },
  }
}

/** The number of connections that fast reads share; others are for writes and slow reads. */
const sharedOf = (poolSize: number) => Math.max(Math.floor(poolSize * 0.4), 1)

const poolMetrics = (name: string, { totalCount, idleCount, waitingCount }: pg.Pool): Pool => ({
  name,
  size: totalCount,
  idle: idleCount,
  waiting: waitingCount,
})

/** The first connection shows whether the URL is right and the server can be used. */
async function connectFirst<Result>(
  url: string,
  connect: () => Promise<Result>,
  endPools: () => Promise<unknown>,
) {
  try {
    return await connect()
  } catch (error) {
    await endPools()
    throw error instanceof StartError ? error : new StartError(startMessage(url, error))
  }
}

async function readPrimaryState(pool: pg.Pool): Promise<PrimaryState> {
  const { rows } = await pool.query<{ position: string; timeline: number | null; identity: string }>(
    `SELECT ${PRIMARY_POSITION}::text AS position, ${PRIMARY_TIMELINE} AS timeline, ${IDENTITY} AS identity`,
  )
  const [row] = rows
  return {
    position: parsePosition(row?.position) ?? 0,
    timeline: row?.timeline ?? 0,
    identity: row?.identity ?? '',
  }
}
