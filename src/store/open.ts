/** Opens the store of a database URL. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../project/config/config.ts'
import { databaseUrlProblem, sqliteFile } from '../project/config/database-url.ts'
import { StartError } from './errors.ts'
import type { PostgresOptions } from './postgres/postgres.ts'
import type { SiblingProcesses } from './postgres/versions/sibling-processes.ts'
import { isStrapiFile } from './sqlite/inspect-file.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import type { DurabilityFailure } from './sqlite/writes/durability-failure.ts'
import type { WriteLock } from './sqlite/writes/write-lock.ts'
import type { Store } from './store.ts'
import { strapiDatabaseError } from './strapi-database.ts'

/** What the processes of one server share. */
export interface WorkerCoordination {
  readonly writeLock: WriteLock
  readonly durability: DurabilityFailure
  readonly siblings: SiblingProcesses
}

export interface StoreOptions extends PostgresOptions {
  /** The folder of relative SQLite paths; by default the working directory. */
  readonly directory?: string
  readonly coordination?: WorkerCoordination
}

/** How a project connects to its database: for servers and commands. */
export const connectionOptions = ({ prepare, directUrl, schema }: Config['database']) => ({
  prepare,
  directUrl,
  schema,
})

/** Opens `sqlite:PATH` or `postgres://…`; a database that cannot be opened is a StartError. */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const problem = databaseUrlProblem(url)
  // The rest of the url may hold a password.
  if (problem) throw new StartError(`The database URL ${url.split(':', 1)[0]}: ${problem}`)
  const file = sqliteFile(url)
  if (file !== null) {
    const path = resolve(options.directory ?? '.', file)
    // Checked first, because opening a file as a store writes to it.
    if (existsSync(path) && statSync(path).size > 0 && isStrapiFile(path)) throw strapiDatabaseError()
    return openSqlite(path, options)
  }
  // Loaded only when needed: the driver takes time and memory at the start.
  const { openPostgres } = await import('./postgres/postgres.ts')
  return openPostgres(url, options)
}
