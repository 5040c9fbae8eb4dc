/** Opens the database of a project for a command. Commands that only read or delete never create one. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Project } from '../model/load-project.ts'
import { serverOf, sqliteFile, sqliteUrl, urlsOfHosts } from '../project/config/database-url.ts'
import { compile } from '../store/compile.ts'
import { META_TABLE, readMigrationState } from '../store/migration/meta-table.ts'
import { readFrom } from '../store/migration/run-sql.ts'
import { connectionOptions, openStore } from '../store/open.ts'
import { isStoreFile } from '../store/sqlite/inspect-file.ts'
import type { Store } from '../store/store.ts'
import { UsageError } from './error-message.ts'

/** Commands run one statement after the other. */
const CONNECTIONS = 2

/** Opens the database, and creates it if it does not exist. Fails for one that a newer version of Octavo has written. */
export async function openDatabase({ config, dir }: Project): Promise<Store> {
  const store = await openStore(config.database.url, {
    ...connectionOptions(config.database),
    directory: dir,
    poolSize: CONNECTIONS,
  })
  try {
    await readMigrationState(readFrom(store))
    return store
  } catch (failure) {
    await store.close()
    throw failure
  }
}

/** Whether the database is an SQLite file that does not exist. */
export function isMissingFile({ config }: Project): boolean {
  const file = sqliteFile(config.database.url)
  return file !== null && !existsSync(file)
}

/** Whether opening the database would write to it: create the file, or tables in one that Octavo did not create. */
export function wouldBeCreated(project: Project): boolean {
  const file = sqliteFile(project.config.database.url)
  return file !== null && (isMissingFile(project) || !isStoreFile(file))
}

/**
 * Opens a database that Octavo has used; fails for any other. With the wrong database, an export would be empty and all
 * media files would count as unused.
 */
export async function openExistingDatabase(project: Project, table = META_TABLE): Promise<Store> {
  if (wouldBeCreated(project)) throw noContentError(project)
  const store = await openDatabase(project)
  if (await hasTable(store, table)) return store
  await store.close()
  throw noContentError(project)
}

/** Reads from the database. If it does not exist yet, a temporary empty one is used instead. */
export async function readDatabase<Result>(
  project: Project,
  read: (store: Store) => Promise<Result>,
): Promise<Result> {
  const folder = wouldBeCreated(project) ? mkdtempSync(path.join(tmpdir(), 'octavo-empty-')) : null
  const store = await (folder ? openStore(sqliteUrl(path.join(folder, 'empty.db'))) : openDatabase(project))
  try {
    return await read(store)
  } finally {
    await store.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether the database has the table, which a server or a migration creates. */
export async function hasTable(store: Store, table = META_TABLE): Promise<boolean> {
  const rows = await store.read(compile(store.dialect, store.dialect.hasTable(table)))
  return rows.length > 0
}

const noContentError = ({ config }: Project) =>
  new UsageError(
    `No content in database ${printableUrl(config.database.url)}\n  pass the right one with --database, or set database.url in the configuration`,
  )

/** A database URL without credentials. */
export function printableUrl(url: string): string {
  if (sqliteFile(url) !== null) return url
  const servers = urlsOfHosts(url).filter((each) => URL.canParse(each))
  const [first] = servers.map((each) => new URL(each))
  return first ? `${first.protocol}//${servers.map(serverOf).join()}${first.pathname}` : 'an invalid URL'
}
