/** A reading connection to an SQLite file, and how statements are read on it. */
import { DatabaseSync } from 'node:sqlite'
import { FOLD, fold } from '../fold/fold.ts'
import { type Row, refuseTransactionControl, type SqlValue } from '../statement.ts'
import { createPrepared } from './connection.ts'
import { isOutOfRange, narrow, plainRow, rowReader } from './rows.ts'

/** A prepared statement that reads. */
export interface PreparedRead<Result> {
  read(parameters: readonly SqlValue[]): Result
  /** The microseconds that it is expected to take, and took the last time; both are 0 before the first time. */
  expectedTime: number
  lastTime: number
}

/** Prepares reads: of all rows with the names of their columns, or of the values of the first row. */
export interface Select {
  readonly rows: (sql: string) => PreparedRead<readonly Row[]>
  readonly firstRow: (sql: string) => PreparedRead<readonly SqlValue[] | null>
}

/** Opens the file for reading. */
export function openReader(path: string): DatabaseSync {
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

export function createSelect(database: DatabaseSync): Select {
  return {
    rows: createPrepared(database, (statement, sql) => {
      refuseTransactionControl(sql)
      const read = rowReader(statement)
      return {
        expectedTime: 0,
        lastTime: 0,
        read(parameters) {
          try {
            return read(parameters)
          } catch (error) {
            if (!isOutOfRange(error)) throw error
            // An integer that a number cannot hold is rare: only then are the rows read again, with bigints.
            const exact = database.prepare(sql)
            exact.setReadBigInts(true)
            return exact.all(...parameters).map(narrow)
          }
        },
      }
    }),
    firstRow: createPrepared(database, (statement, sql) => {
      refuseTransactionControl(sql)
      statement.setReturnArrays(true)
      return { expectedTime: 0, lastTime: 0, read: (parameters) => plainRow(statement.get(...parameters)) }
    }),
  }
}
