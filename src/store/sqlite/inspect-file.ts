/** Inspects an SQLite file without changing it; opening it as a store would write to it. */
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../errors.ts'
import { failureOf, startMessage } from './failures.ts'

const LOCK_TIMEOUT = 5_000

/** Whether the file has been opened as a store before; one that cannot be read is a StartError. */
export function isStoreFile(path: string): boolean {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT })
    try {
      return (
        database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'octavo_counters'`).get() !== undefined
      )
    } finally {
      database.close()
    }
  } catch (error) {
    throw new StartError(startMessage(path, failureOf(error)))
  }
}
