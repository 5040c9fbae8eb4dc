/**
 * The worker thread that owns the only writing connection of an SQLite database. It executes the statements it is
 * sent and knows nothing else; what they mean is decided by `group-commit.ts` on the main thread.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { FOLD, fold } from './fold.ts'
import { MOVED } from './moved.ts'
import { narrow } from './sqlite-rows.ts'
import type { Row, Statement } from './store.ts'

/** What the thread is started with. */
export interface WriterData {
  readonly path: string
  /** For how many milliseconds a transaction waits for that of another process. */
  readonly timeout: number
}

/** Statements to execute in order, up to the first that fails. */
export interface WriterRequest {
  readonly id: number
  /** Whether the first statement opens the transaction; without it there must be one open already. */
  readonly opens: boolean
  readonly operations: readonly (Statement & { readonly rows: boolean })[]
}

export interface SqliteFailure {
  readonly message: string
  /** SQLite's extended result code, 0 when the failure is not SQLite's. */
  readonly code: number
}

/** The rows of every operation that asked for them, or which operation failed and how. */
export type WriterReply =
  | { readonly id: number; readonly rows: readonly (readonly Row[])[] }
  | { readonly id: number; readonly failed: number; readonly failure: SqliteFailure; readonly open: boolean }

/** Sent once, when the connection is open or could not be opened. */
export interface WriterOpened {
  readonly failure: SqliteFailure | null
}

const failureOf = (error: unknown): SqliteFailure => ({
  message: error instanceof Error ? error.message : String(error),
  code: error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0,
})

function open({ path, timeout }: WriterData): DatabaseSync {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false, timeout })
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = FULL')
  database.exec('PRAGMA journal_size_limit = 67108864')
  database.function(FOLD, { deterministic: true }, (text) => (typeof text === 'string' ? fold(text) : text))
  database.function('octavo_moved', () => {
    throw new Error(MOVED)
  })
  database.exec(`
    CREATE TABLE IF NOT EXISTS octavo_versions (name text PRIMARY KEY, version integer NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS octavo_versions_version ON octavo_versions (version);
    CREATE TABLE IF NOT EXISTS octavo_counters (name text PRIMARY KEY, value integer NOT NULL) WITHOUT ROWID;
    INSERT OR IGNORE INTO octavo_counters (name, value) VALUES ('entry', 0);`)
  return database
}

function serve(database: DatabaseSync, port: NonNullable<typeof parentPort>) {
  const prepared = new LRUCache<string, StatementSync>({ max: 500 })
  const prepare = (sql: string) => {
    const known = prepared.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    prepared.set(sql, statement)
    return statement
  }
  const execute = (request: WriterRequest): WriterReply => {
    const rows: Row[][] = []
    let position = 0
    try {
      // A statement outside a transaction would commit by itself: refuse what follows a failed BEGIN.
      if (!request.opens && !database.isTransaction) throw new Error('The transaction is not open')
      if (request.opens && database.isTransaction) database.exec('ROLLBACK')
      for (const { sql, parameters, rows: wanted } of request.operations) {
        const statement = prepare(sql)
        if (wanted) rows.push(statement.all(...parameters).map(narrow))
        else statement.run(...parameters)
        position++
      }
      return { id: request.id, rows }
    } catch (error) {
      return { id: request.id, failed: position, failure: failureOf(error), open: database.isTransaction }
    }
  }
  port.on('message', (requests: readonly WriterRequest[] | 'close') => {
    if (requests === 'close') {
      database.close()
      port.close()
    } else port.postMessage(requests.map(execute))
  })
}

if (parentPort) {
  const port = parentPort
  const opened = (failure: SqliteFailure | null) => port.postMessage({ failure } satisfies WriterOpened)
  try {
    const database = open(workerData)
    serve(database, port)
    opened(null)
  } catch (error) {
    opened(failureOf(error))
  }
}
