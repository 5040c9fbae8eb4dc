/** A reading connection to an SQLite file, and how statements are read on it. */
import { DatabaseSync } from 'node:sqlite'
import type { ExpectedTime } from '../reads/expected-time.ts'
import { exceedsBytes } from '../reads/row-bytes.ts'
import { type Row, refuseTransactionControl, type SqlValue } from '../statement.ts'
import { createPrepared } from './connection.ts'
import { defineFunctions } from './functions.ts'
import { isOutOfRange, narrow, plainRow, rowReader, TooManyBytes } from './rows.ts'

/** What the statement that runs on a connection may use: milliseconds from its start, and bytes of its rows. */
export interface StatementLimits {
  readonly milliseconds: number
  readonly bytes: number
  /** Whether the milliseconds are those in which it runs, not those in which it waits for a processor. */
  readonly isRunningTime?: boolean
}

/** A prepared statement that reads. */
export interface PreparedRead<Result> extends ExpectedTime {
  /** Fails with the code INTERRUPT or TOO_BIG beyond a limit. `start` is the current time. */
  read(parameters: readonly SqlValue[], limits: StatementLimits, start: number): Result
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
  return database
}

/** The longest text of SQLite, and the shortest limit: rows that are read but not returned must fit too. */
const TEXT_BYTES = { most: 1_000_000_000, least: 4_194_304 }

export function createSelect(database: DatabaseSync): Select {
  const deadline = defineFunctions(database)
  let longestText = database.limits.length

  function setLimits({ milliseconds, bytes, isRunningTime = false }: StatementLimits, start: number) {
    deadline.set(start, milliseconds, isRunningTime)
    const longest = Math.min(Math.max(bytes, TEXT_BYTES.least), TEXT_BYTES.most)
    if (longest === longestText) return
    database.limits.length = longest
    longestText = longest
  }

  return {
    rows: createPrepared(database, (statement, sql) => {
      refuseTransactionControl(sql)
      const read = rowReader(statement)
      return {
        expectedTime: 0,
        lastTime: 0,
        read(parameters, limits, start) {
          setLimits(limits, start)
          try {
            return read(parameters, limits.bytes)
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
      return {
        expectedTime: 0,
        lastTime: 0,
        read(parameters, limits, start) {
          setLimits(limits, start)
          const row = plainRow(statement.get(...parameters))
          if (row && exceedsBytes(row, limits.bytes)) throw new TooManyBytes()
          return row
        },
      }
    }),
  }
}
