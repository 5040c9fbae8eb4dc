/** Reads that all see an SQLite file as it was when they started: one read transaction on its own connection. */
import { compile } from '../compile.ts'
import { NO_LIMITS } from '../reads/read-limits.ts'
import type { ReadRows } from '../store.ts'
import { sqliteDialect } from './dialect.ts'
import { translating } from './failures.ts'
import { createSelect, openReader } from './select.ts'

export async function readSnapshot<Result>(
  path: string,
  work: (read: ReadRows) => Promise<Result>,
): Promise<Result> {
  const database = openReader(path)
  try {
    database.exec('BEGIN')
    // A transaction sees the database as of its first read, not as of its BEGIN.
    database.exec('SELECT 1 FROM sqlite_master')
    const select = createSelect(database)
    return await work(async (query) => {
      const { sql, parameters } = compile(sqliteDialect, query)
      return translating(() => select.rows(sql).read(parameters, NO_LIMITS, performance.now()))
    })
  } finally {
    database.close()
  }
}
