/** A reading connection to an SQLite file, and how it reads: on the main thread, or in one of its own. */
import { DatabaseSync } from 'node:sqlite'
import { FOLD, fold } from '../fold/fold.ts'
import { type Row, refuseTransactionControl, type SqlValue } from '../statement.ts'
import { createPrepared } from './connection.ts'
import { isOutOfRange, narrow, plainRow, rowReader } from './rows.ts'

/** A statement that is ready to be read, time and again. */
export interface Reading<Result> {
  read(parameters: readonly SqlValue[]): Result
  /** How many microseconds it takes, as far as that was seen, and has taken the last time: 0 in the beginning. */
  takes: number
  took: number
}

/** What reads statements: all rows with their names, or the values of the first row without an object around them. */
export interface Select {
  readonly rows: (sql: string) => Reading<readonly Row[]>
  readonly row: (sql: string) => Reading<readonly SqlValue[] | null>
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
        takes: 0,
        took: 0,
        read(parameters) {
          try {
            return read(parameters)
          } catch (error) {
            if (!isOutOfRange(error)) throw error
            // Rare enough to pay for it only when it happens: an integer that a number cannot hold.
            const exact = database.prepare(sql)
            exact.setReadBigInts(true)
            return exact.all(...parameters).map(narrow)
          }
        },
      }
    }),
    row: createPrepared(database, (statement, sql) => {
      refuseTransactionControl(sql)
      statement.setReturnArrays(true)
      return { takes: 0, took: 0, read: (parameters) => plainRow(statement.get(...parameters)) }
    }),
  }
}
