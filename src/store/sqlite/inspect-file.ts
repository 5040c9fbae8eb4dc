/** Inspects an SQLite file without changing it; opening it as a store would write to it. */
import { DatabaseSync } from 'node:sqlite'
import { STRAPI_TABLE } from '../strapi-database.ts'
import { failureOf, startError } from './failures.ts'

const LOCK_TIMEOUT = 5_000

/** Whether the file has been opened as a store before; one that cannot be read is a StartError. */
export const isStoreFile = (path: string): boolean => tablesIn(path).has('octavo_counters')

/** Whether the file is the database of a Strapi project, and not a store. */
export function isStrapiFile(path: string): boolean {
  const tables = tablesIn(path)
  return tables.has(STRAPI_TABLE) && !tables.has('octavo_counters')
}

function tablesIn(path: string): Set<string> {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: LOCK_TIMEOUT })
    try {
      const rows = database
        .prepare('SELECT name FROM sqlite_master WHERE name IN (?, ?)')
        .all('octavo_counters', STRAPI_TABLE)
      return new Set(rows.map(({ name }) => String(name)))
    } finally {
      database.close()
    }
  } catch (error) {
    throw startError(path, failureOf(error))
  }
}
