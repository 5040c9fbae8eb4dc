/** Opens the store that a database url names. */
import { resolve } from 'node:path'
import { sqliteFile, urlProblem } from '../project/database-url.ts'
import type { Doubt } from './doubt.ts'
import { StartError } from './failure.ts'
import type { PostgresOptions } from './postgres.ts'
import type { Siblings } from './siblings.ts'
import { openSqlite } from './sqlite.ts'
import type { Store } from './store.ts'
import type { Turn } from './turns.ts'

/** What a process needs to be one of several that make a server together. */
export interface Among {
  readonly turn: Turn
  readonly doubt: Doubt
  readonly siblings: Siblings
}

export interface StoreOptions extends PostgresOptions {
  /** The folder that relative SQLite paths start from; the working directory when absent. */
  readonly directory?: string
  readonly among?: Among
}

/** Opens `sqlite:PATH` or `postgres://…`; a database that cannot be opened is a StartError. */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const problem = urlProblem(url)
  // The rest of the url may hold a password.
  if (problem) throw new StartError(`The database url ${url.split(':', 1)[0]}: ${problem}`)
  const file = sqliteFile(url)
  if (file !== null) return openSqlite(resolve(options.directory ?? '.', file), options)
  // Loaded where it is used: half of the servers never need it.
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(url, options)
}
