/** A writing connection to an SQLite file, and how operations are executed on it. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { createSizedCache } from '../../sized-cache.ts'
import { SCHEMA_CHANGED } from '../schema-changed.ts'
import type { Row, Statement } from '../statement.ts'
import { failureOf, type SqliteFailure, staleSnapshot } from './failures.ts'
import { defineFunctions } from './functions.ts'
import { isOutOfRange, narrow, rowReader } from './rows.ts'
import { BEGIN, INDEX_ROWS, RESTART, ROLLBACK, ROLLBACK_TO } from './writes/batch-statements.ts'
import { isReadOnly, type Operation } from './writes/operation.ts'
import { createRowIndexing } from './writes/row-indexing.ts'

/** The rows of every operation that returns them; or the index of the one that failed, and how. */
export type Executed =
  | { readonly rows: readonly (readonly Row[])[] }
  | { readonly failed: number; readonly failure: SqliteFailure; readonly open: boolean }

/**
 * The bytes of a page in a new file, twice SQLite's default: a row that does not fit into a page is read in several steps. In a
 * trial with articles of 5,500 bytes, find one took 5 % less processor time, a list of 25 took 7 %, and `populate=*` 10 %; writes
 * took the same.
 */
const PAGE_SIZE = 8_192
/** A compiled statement takes about this many times the memory of its text. */
const COMPILED_SIZE = 10
/** The memory of all statements that a connection has prepared in one way. */
const PREPARED_BYTES = 33_554_432

export interface WritingOptions {
  readonly path: string
  /** The milliseconds that a transaction waits for one of another process. */
  readonly timeout: number
}

/** Opens or creates the file, with the tables that the engine itself needs. */
export function openForWriting({ path, timeout }: WritingOptions): DatabaseSync {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false, timeout })
  database.exec(`PRAGMA page_size = ${PAGE_SIZE}`)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = FULL')
  database.exec('PRAGMA journal_size_limit = 67108864')
  database.exec('PRAGMA cache_size = -32768')
  // Otherwise savepoints would write the pages they copy into files.
  database.exec('PRAGMA temp_store = MEMORY')
  database.function('octavo_moved', () => {
    throw new Error(SCHEMA_CHANGED)
  })
  database.exec(`
    CREATE TABLE IF NOT EXISTS octavo_versions (name text PRIMARY KEY, version integer NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS octavo_versions_version ON octavo_versions (version);
    CREATE TABLE IF NOT EXISTS octavo_counters (name text PRIMARY KEY, value integer NOT NULL) WITHOUT ROWID;`)
  // Checked first: even an ignored INSERT takes the write lock. If a long write of this process holds that, the main
  // thread would wait for a write that only it can continue.
  if (!database.prepare(`SELECT 1 FROM octavo_counters WHERE name = 'entry'`).get())
    database.exec(`INSERT OR IGNORE INTO octavo_counters (name, value) VALUES ('entry', 0)`)
  return database
}

/**
 * Executes operations in order, up to the first that fails. `opens` says that the first opens the transaction. A plan, such
 * as the one for the response to a write, may run for `maxReadTime` milliseconds.
 */
export function createExecutor(database: DatabaseSync, maxReadTime = Infinity) {
  const deadline = defineFunctions(database)
  const prepare = createPrepared(database, (statement) => statement)
  const reader = createPrepared(database, rowReader)
  const prepareExact = createPrepared(database, (statement) => {
    statement.setReadBigInts(true)
    return statement
  })
  const exactRows = ({ sql, parameters }: Statement) =>
    prepareExact(sql)
      .all(...parameters)
      .map(narrow)

  /** Only a read may run a second time, with bigints, when an integer does not fit into a number. */
  function rowsOf(statement: Statement): readonly Row[] {
    if (!isReadOnly(statement)) return exactRows(statement)
    deadline.set(performance.now(), maxReadTime, false)
    try {
      return reader(statement.sql)(statement.parameters)
    } catch (error) {
      if (!isOutOfRange(error)) throw error
      return exactRows(statement)
    } finally {
      deadline.clear()
    }
  }

  const rowIndexing = createRowIndexing(database, prepare)
  const dataVersion = () => prepare('PRAGMA data_version').get()?.data_version

  function rollback() {
    database.exec(ROLLBACK.sql)
    rowIndexing.forget()
  }

  function restart() {
    const before = dataVersion()
    rollback()
    database.exec(BEGIN.sql)
    if (dataVersion() !== before) throw staleSnapshot()
  }

  function run({ sql, parameters }: Operation) {
    if (sql === RESTART.sql) restart()
    else if (sql === ROLLBACK.sql) rollback()
    else if (sql === INDEX_ROWS) {
      const [which, ...tables] = parameters
      rowIndexing.add(tables.map(String), which === 'all')
    } else {
      prepare(sql).run(...parameters)
      if (sql === ROLLBACK_TO.sql) rowIndexing.forget()
    }
  }

  return (operations: readonly Operation[], opens: boolean): Executed => {
    const rows: (readonly Row[])[] = []
    let position = 0
    try {
      // A statement outside a transaction would be committed on its own: refuse what follows a failed BEGIN.
      if (!opens && !database.isTransaction) throw new Error('The transaction is not open')
      if (opens && database.isTransaction) rollback()
      for (const operation of operations) {
        if (operation.rows) rows.push(rowsOf(operation))
        else run(operation)
        position++
      }
      return { rows }
    } catch (error) {
      rowIndexing.forget()
      return { failed: position, failure: failureOf(error), open: database.isTransaction }
    }
  }
}

/** A cache of prepared statements by their text, for the most recently used ones. */
export function createPrepared<Prepared extends object>(
  database: DatabaseSync,
  create: (statement: StatementSync, sql: string) => Prepared,
) {
  const all = createSizedCache<{ readonly prepared: Prepared; readonly bytes: number }>({
    maxBytes: PREPARED_BYTES,
    bytesOf: ({ bytes }) => bytes,
  })
  return (sql: string): Prepared => {
    const known = all.get(sql)
    if (known) return known.prepared
    const prepared = create(database.prepare(sql), sql)
    all.set(sql, { prepared, bytes: COMPILED_SIZE * sql.length })
    return prepared
  }
}
