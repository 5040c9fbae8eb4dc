/** The SQLite engine. Reads are in `reads.ts`, writes in `writes/`. */
import { errors } from '../../errors.ts'
import { sqlitePlan } from '../engine-plan.ts'
import { indexWhenIdle } from '../search/index-when-idle.ts'
import type { Store } from '../store.ts'
import { sqliteDialect } from './dialect.ts'
import { createIndex, dropIndex, type IndexWrites } from './indexes/create-index.ts'
import { openReads } from './reads.ts'
import { rowReader } from './rows.ts'
import { openReader } from './select.ts'
import { readSnapshot } from './snapshot.ts'
import { followVersions } from './table-versions.ts'
import { indexRows } from './writes/batch-statements.ts'
import { type DurabilityFailure, trackDurabilityFailure } from './writes/durability-failure.ts'
import type { Bounds } from './writes/group-commit.ts'
import { tablesWithWaitingRows } from './writes/row-indexing.ts'
import type { WriteLock } from './writes/write-lock.ts'
import { openWrites } from './writes/writes.ts'

const BOUNDS: Bounds = { queue: 5_000, jobs: 128, milliseconds: 20, patience: 30_000 }

export interface SqliteOptions {
  /** The number of writes, and of slow reads, that may wait; more are refused. */
  readonly maxWaiting?: number
  /** The milliseconds that a write waits for another process, and a slow read for other reads. */
  readonly waitTimeout?: number
  readonly bounds?: Partial<Bounds>
  /** The milliseconds after which a slow read is abandoned; 0 for never. */
  readonly statementTimeout?: number
  /** The microseconds from which on a read is slow. */
  readonly slowRead?: number
  /** How many slow reads run at the same time; null for a number that suits the machine. */
  readonly slowReads?: number | null
  /** What the processes of one server share when they use the same file. */
  readonly coordination?: { readonly writeLock: WriteLock; readonly durability: DurabilityFailure }
  /** Logs a message for the operator. */
  readonly notice?: (message: string) => void
}

/** Opens the database file, which is created if it does not exist. */
export async function openSqlite(
  path: string,
  options: SqliteOptions = {},
): Promise<Store & { readonly commits: number }> {
  const { maxWaiting = BOUNDS.queue, waitTimeout = 10_000, statementTimeout = 0 } = options
  const { bounds, slowRead, coordination, notice = () => {} } = options
  const durability = coordination?.durability ?? trackDurabilityFailure()
  const writing = openWrites(path, {
    bounds: { ...BOUNDS, queue: maxWaiting, ...bounds },
    sharedLock: coordination?.writeLock ?? null,
    durability,
    waitTimeout,
    endReads: () => versions.invalidate(),
    notice,
  })
  const database = openReader(path)
  const versions = followVersions(database)
  const reading = openReads(path, database, {
    onThreadRead: versions.invalidate,
    isBusy: versions.hasSeveralRequests,
    isOnlyProcess: !coordination,
    maxWaiting,
    slowReads: options.slowReads ?? null,
    waitTimeout,
    statementTimeout,
    notice,
    ...(slowRead !== undefined && { slowRead }),
  })
  const idleIndexing = indexWhenIdle(async (isClosing) => {
    for (const table of tablesWithWaitingRows((statement) => rowReader(database.prepare(statement))([]))) {
      if (isClosing()) return
      await writing.write(async (transaction) => transaction.run(indexRows([table], 'all')), false)
    }
  })
  let writes = 0
  let isClosed = false
  const refuseIfClosed = () => {
    if (isClosed) throw errors.unavailable(1, 'The database is closed')
  }
  const indexWrites: IndexWrites = {
    async write(work) {
      refuseIfClosed()
      return writing.write(work, true)
    },
    async handOver(index) {
      refuseIfClosed()
      return writing.handOver(index)
    },
  }

  return {
    dialect: sqliteDialect,
    get durabilityFailure() {
      return durability.error
    },
    async read(statement, _tables, limits) {
      return reading.rows(statement, limits)
    },
    readFirstRow: reading.firstRow,
    async snapshot(work) {
      refuseIfClosed()
      return readSnapshot(path, work)
    },
    async write(work, { long = false } = {}) {
      refuseIfClosed()
      writes++
      idleIndexing.noteWrite()
      return writing.write(work, long).finally(versions.invalidate)
    },
    tableVersion: versions.tableVersion,
    globalVersion: versions.globalVersion,
    // A client of several processes may know of a write by another one that came after this turn's check.
    requestArrived: coordination ? () => {} : versions.requestArrived,
    statements: {
      get reads() {
        return reading.count
      },
    },
    async explain({ sql: text, parameters }) {
      refuseIfClosed()
      return sqlitePlan(text, rowReader(database.prepare(`EXPLAIN QUERY PLAN ${text}`))(parameters))
    },
    createIndex: (index, signal) => createIndex(indexWrites, index, signal),
    dropIndex: (name) => dropIndex(indexWrites, name),
    metrics: () => ({
      reads: reading.count,
      writes,
      commits: writing.commits,
      writesWaiting: writing.waiting,
      refusedReads: reading.refused,
      pools: reading.pools(),
      replicas: [],
    }),
    get commits() {
      return writing.commits
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await idleIndexing.close()
      await writing.close(async () => {
        await reading.close()
        database.close()
      })
    },
  }
}
