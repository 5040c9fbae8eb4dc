/** The embedded engine. How it reads is told in `reads.ts`, how it writes in `writes.ts`. */
import type { DatabaseSync } from 'node:sqlite'
import { errors } from '../../errors.ts'
import { sqlitePlan } from '../engine-plan.ts'
import type { Store } from '../store.ts'
import { sqliteDialect } from './dialect.ts'
import { openReads, type Times } from './reads.ts'
import { plainRow, rowReader } from './rows.ts'
import { openReader } from './select.ts'
import { readSnapshot } from './snapshot.ts'
import { type DurabilityFailure, trackDurabilityFailure } from './writes/durability-failure.ts'
import type { Bounds } from './writes/group-commit.ts'
import type { WriteLock } from './writes/write-lock.ts'
import { openWrites } from './writes/writes.ts'

const BOUNDS: Bounds = { queue: 5_000, jobs: 128, milliseconds: 20, patience: 30_000 }

export interface SqliteOptions {
  /** Writes that may wait, and reads that take long; past it they are refused. */
  readonly maxWaiting?: number
  /** For how many milliseconds a write waits for that of another process, and a read that takes long for others. */
  readonly waitTimeout?: number
  readonly bounds?: Partial<Bounds>
  /** After how many milliseconds a read that is known to take long is given up; 0 for never. */
  readonly statementTimeout?: number
  /** What counts as long. */
  readonly times?: Partial<Times>
  /** The turn to write, and doubt of the disk, when several processes of one server share the file. */
  readonly coordination?: { readonly writeLock: WriteLock; readonly durability: DurabilityFailure }
  /** Told in one line what somebody should know. */
  readonly notice?: (words: string) => void
}

/** Opens (or makes) the database file and answers with its store. */
export async function openSqlite(
  path: string,
  options: SqliteOptions = {},
): Promise<Store & { readonly commits: number }> {
  const { maxWaiting = BOUNDS.queue, waitTimeout = 10_000, statementTimeout = 0 } = options
  const { bounds, times, coordination, notice = () => {} } = options
  const durability = coordination?.durability ?? trackDurabilityFailure()
  const group = openWrites(path, {
    bounds: { ...BOUNDS, queue: maxWaiting, ...bounds },
    among: coordination?.writeLock ?? null,
    doubt: durability,
    waitTimeout,
    notice,
  })
  const database = openReader(path)
  const versions = followVersions(database)
  const reading = openReads(path, database, {
    alone: !coordination,
    isBusy: () => versions.requests > 1,
    seen: versions.doubt,
    notice,
    maxWaiting,
    waitTimeout,
    timeout: statementTimeout,
    ...(times && { times }),
  })
  let reads = 0
  let writes = 0
  let closed = false
  const refuseClosed = () => {
    if (closed) throw errors.unavailable(1, 'The database is closed')
  }
  return {
    dialect: sqliteDialect,
    get durabilityFailure() {
      return durability.error
    },
    async read(statement) {
      refuseClosed()
      reads++
      return reading.rows(statement)
    },
    readFirstRow(statement) {
      refuseClosed()
      reads++
      return reading.row(statement)
    },
    async snapshot(work) {
      refuseClosed()
      return readSnapshot(path, work)
    },
    async write(work, { long = false } = {}) {
      refuseClosed()
      writes++
      return group.write(work, long).finally(versions.doubt)
    },
    tableVersion: versions.of,
    globalVersion: versions.moment,
    // Several processes of one server are asked by clients that know each other's answers: each look is made anew.
    requestArrived: coordination ? () => {} : versions.arrived,
    statements: {
      get reads() {
        return reads
      },
    },
    async explain({ sql, parameters }) {
      refuseClosed()
      return sqlitePlan(sql, rowReader(database.prepare(`EXPLAIN QUERY PLAN ${sql}`))(parameters))
    },
    metrics: () => ({
      reads,
      writes,
      commits: group.commits,
      writesWaiting: group.waiting,
      pools: reading.pools(),
      replicas: [],
    }),
    get commits() {
      return group.commits
    },
    async close() {
      if (closed) return
      closed = true
      await group.close(async () => {
        await reading.close()
        database.close()
      })
    },
  }
}

/** Versions of tables, kept in the database itself so that every process that writes to it is seen. */
function followVersions(database: DatabaseSync) {
  const dataVersion = database.prepare('PRAGMA data_version')
  dataVersion.setReturnArrays(true)
  const changes = database.prepare(
    'SELECT name, version FROM octavo_versions WHERE version > ? ORDER BY version',
  )
  const versions = new Map<string, number>()
  let known: unknown
  let latest = -1
  let fresh = false
  /** Requests that were read from the network in this turn of the event loop. */
  let requests = 0
  const doubt = () => {
    fresh = false
  }
  const endTurn = () => {
    requests = 0
    fresh = false
  }
  function look() {
    const now = plainRow(dataVersion.get())?.[0]
    if (now !== known) {
      for (const { name, version } of changes.all(latest)) {
        latest = Number(version)
        versions.set(String(name), latest)
      }
      known = now
    }
    // One look serves all the questions of a callback, if it could be made: nothing that it has acknowledged is newer.
    fresh = true
    if (requests === 0) whenCallbackEnds(doubt)
  }
  return {
    of(table: string): number {
      if (!fresh) look()
      return versions.get(table) ?? 0
    },
    moment(): number {
      if (!fresh) look()
      return latest
    },
    get requests() {
      return requests
    },
    arrived() {
      if (requests++ > 0) return
      fresh = false
      // Comes when everything that could be read from the network has been.
      setImmediate(endTurn)
    },
    /** What was seen is not to be relied on any longer: this process has written. */
    doubt,
  }
}

/** Does something when a callback from outside has ended with all that it set off at once. */
function whenCallbackEnds(work: () => void): void {
  // Ticks and promises are run in turns until none is left; the last tick comes after every promise.
  process.nextTick(() => queueMicrotask(() => process.nextTick(work)))
}
