/** The embedded engine: reads run on a connection of the main thread, writes on another; see `sqlite-writes.ts`. */
import { DatabaseSync } from 'node:sqlite'
import { errors } from '../errors.ts'
import { sqlitePlan } from './engine-plan.ts'
import { FOLD, fold } from './fold.ts'
import type { Bounds } from './group-commit.ts'
import { createPrepared } from './sqlite-connection.ts'
import { failureOf, translate } from './sqlite-failures.ts'
import { isOutOfRange, narrow, plainRow, rowReader } from './sqlite-rows.ts'
import { openWrites } from './sqlite-writes.ts'
import type { Row, SqlValue, Statement, Store } from './store.ts'
import type { Turn } from './turns.ts'

const BOUNDS: Bounds = { queue: 5_000, jobs: 128, milliseconds: 20, patience: 30_000 }

export interface SqliteOptions {
  /** Writes that may wait; past it they are refused. */
  readonly maxWaiting?: number
  /** For how many milliseconds a write waits for that of another process. */
  readonly waitTimeout?: number
  readonly bounds?: Partial<Bounds>
  /** The turn to write, when several processes of one server share the file. */
  readonly among?: { readonly turn: Turn }
  /** Told in one line what somebody should know. */
  readonly notice?: (words: string) => void
}

/** Opens (or makes) the database file and answers with its store. */
export async function openSqlite(
  path: string,
  { maxWaiting = BOUNDS.queue, waitTimeout = 10_000, bounds, among, notice = () => {} }: SqliteOptions = {},
): Promise<Store & { readonly commits: number }> {
  const group = openWrites(path, {
    bounds: { ...BOUNDS, queue: maxWaiting, ...bounds },
    among: among?.turn ?? null,
    waitTimeout,
    notice,
  })
  const database = openReader(path)
  const versions = followVersions(database)
  const select = createSelect(database)
  let reads = 0
  let writes = 0
  let closed = false
  const refuseClosed = () => {
    if (closed) throw errors.unavailable(1, 'The database is closed')
  }
  return {
    engine: 'sqlite',
    async read(statement) {
      refuseClosed()
      reads++
      return select.rows(statement)
    },
    readRow(statement) {
      refuseClosed()
      reads++
      return select.row(statement)
    },
    async write(work, { long = false } = {}) {
      refuseClosed()
      writes++
      return group.write(work, long).finally(versions.doubt)
    },
    versionOf: versions.of,
    moment: versions.moment,
    // Several processes of one server are asked by clients that know each other's answers: each look is made anew.
    arrived: among ? () => {} : versions.arrived,
    statements: {
      get reads() {
        return reads
      },
    },
    async explain({ sql, parameters }) {
      refuseClosed()
      return sqlitePlan(sql, rowReader(database.prepare(`EXPLAIN QUERY PLAN ${sql}`))(parameters))
    },
    figures: () => ({
      reads,
      writes,
      commits: group.commits,
      writesWaiting: group.waiting,
      pools: [],
      replicas: [],
    }),
    get commits() {
      return group.commits
    },
    async close() {
      if (closed) return
      closed = true
      await group.close(() => database.close())
    },
  }
}

function openReader(path: string): DatabaseSync {
  const database = new DatabaseSync(path, {
    readOnly: true,
    enableForeignKeyConstraints: false,
    timeout: 5_000,
  })
  database.exec('PRAGMA cache_size = -32768')
  database.exec('PRAGMA temp_store = MEMORY')
  database.function(FOLD, { deterministic: true }, (text) => (typeof text === 'string' ? fold(text) : text))
  return database
}

/** What reads one statement after another; `row` gives the values of the first row without an object around them. */
function createSelect(database: DatabaseSync) {
  const forRows = createPrepared(database, rowReader)
  const forRow = createPrepared(database, (statement) => {
    statement.setReturnArrays(true)
    return statement
  })
  return {
    rows({ sql, parameters }: Statement): readonly Row[] {
      try {
        return forRows(sql)(parameters)
      } catch (error) {
        if (!isOutOfRange(error)) throw translate(failureOf(error), error)
        // Rare enough to pay for it only when it happens: an integer that a number cannot hold.
        const exact = database.prepare(sql)
        exact.setReadBigInts(true)
        return exact.all(...parameters).map(narrow)
      }
    },
    row({ sql, parameters }: Statement): readonly SqlValue[] | null {
      try {
        return plainRow(forRow(sql).get(...parameters))
      } catch (error) {
        throw translate(failureOf(error), error)
      }
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
  let isTurnOfRequests = false
  const doubt = () => {
    fresh = false
  }
  const endTurn = () => {
    isTurnOfRequests = false
    fresh = false
  }
  function look() {
    fresh = true
    // One look serves all the questions of a callback: nothing it has acknowledged can be newer.
    if (!isTurnOfRequests) whenCallbackEnds(doubt)
    const now = plainRow(dataVersion.get())?.[0]
    if (now === known) return
    known = now
    for (const { name, version } of changes.all(latest)) {
      latest = Number(version)
      versions.set(String(name), latest)
    }
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
    arrived() {
      if (isTurnOfRequests) return
      isTurnOfRequests = true
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
