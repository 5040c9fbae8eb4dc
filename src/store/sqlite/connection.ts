/** A writing connection to an SQLite file, and how it executes operations: on the main thread, or in one of its own. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { FOLD, fold } from '../fold/fold.ts'
import { SCHEMA_CHANGED } from '../schema-changed.ts'
import type { Row, Statement } from '../statement.ts'
import { failureOf, overtaken, type SqliteFailure } from './failures.ts'
import { isOutOfRange, narrow, rowReader } from './rows.ts'
import { BEGIN, RESTART } from './writes/batch-statements.ts'
import { type Operation, onlyReads } from './writes/operation.ts'

/** The rows of every operation that asked for them, or which operation failed and how. */
export type Executed =
  | { readonly rows: readonly (readonly Row[])[] }
  | { readonly failed: number; readonly failure: SqliteFailure; readonly open: boolean }

const PREPARED_STATEMENTS = 500

export interface WritingOptions {
  readonly path: string
  /** For how many milliseconds a transaction waits for that of another process. */
  readonly timeout: number
}

/** Opens the file, or makes it, with the tables that the engine itself needs. */
export function openForWriting({ path, timeout }: WritingOptions): DatabaseSync {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false, timeout })
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = FULL')
  database.exec('PRAGMA journal_size_limit = 67108864')
  database.exec('PRAGMA cache_size = -32768')
  // What savepoints replace would go into files.
  database.exec('PRAGMA temp_store = MEMORY')
  database.function(FOLD, { deterministic: true }, (text) => (typeof text === 'string' ? fold(text) : text))
  database.function('octavo_moved', () => {
    throw new Error(SCHEMA_CHANGED)
  })
  database.exec(`
    CREATE TABLE IF NOT EXISTS octavo_versions (name text PRIMARY KEY, version integer NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS octavo_versions_version ON octavo_versions (version);
    CREATE TABLE IF NOT EXISTS octavo_counters (name text PRIMARY KEY, value integer NOT NULL) WITHOUT ROWID;`)
  // Asked first: an INSERT takes the lock of writers even when it is ignored, and this thread would wait for it in vain
  // while it has to go on with a long write of its own.
  if (!database.prepare(`SELECT 1 FROM octavo_counters WHERE name = 'entry'`).get())
    database.exec(`INSERT OR IGNORE INTO octavo_counters (name, value) VALUES ('entry', 0)`)
  return database
}

/** Executes operations in order, up to the first that fails. `opens` tells that the first opens the transaction. */
export function createExecutor(database: DatabaseSync) {
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

  /** What writes is not run twice: only what reads is asked again, for integers that a number cannot hold. */
  function rowsOf(statement: Statement): readonly Row[] {
    if (!onlyReads(statement)) return exactRows(statement)
    try {
      return reader(statement.sql)(statement.parameters)
    } catch (error) {
      if (!isOutOfRange(error)) throw error
      return exactRows(statement)
    }
  }

  const dataVersion = () => prepare('PRAGMA data_version').get()?.data_version

  function restart() {
    const before = dataVersion()
    database.exec('ROLLBACK')
    database.exec(BEGIN.sql)
    if (dataVersion() !== before) throw overtaken()
  }

  return (operations: readonly Operation[], opens: boolean): Executed => {
    const rows: (readonly Row[])[] = []
    let position = 0
    try {
      // A statement outside a transaction would commit by itself: refuse what follows a failed BEGIN.
      if (!opens && !database.isTransaction) throw new Error('The transaction is not open')
      if (opens && database.isTransaction) database.exec('ROLLBACK')
      for (const operation of operations) {
        if (operation.sql === RESTART.sql) restart()
        else if (operation.rows) rows.push(rowsOf(operation))
        else prepare(operation.sql).run(...operation.parameters)
        position++
      }
      return { rows }
    } catch (error) {
      return { failed: position, failure: failureOf(error), open: database.isTransaction }
    }
  }
}

/** What is made of statements by their text, the ones used last kept prepared. */
export function createPrepared<Prepared extends object>(
  database: DatabaseSync,
  make: (statement: StatementSync, sql: string) => Prepared,
) {
  const all = new LRUCache<string, Prepared>({ max: PREPARED_STATEMENTS })
  return (sql: string): Prepared => {
    let prepared = all.get(sql)
    if (!prepared) {
      prepared = make(database.prepare(sql), sql)
      all.set(sql, prepared)
    }
    return prepared
  }
}
