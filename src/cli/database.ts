/** The database of a project, as commands open it. One that only looks, or takes away, makes none by mistake. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Project } from '../model/load-project.ts'
import { sqliteFile, sqliteUrl } from '../project/config/database-url.ts'
import { compile } from '../store/compile.ts'
import { META_TABLE } from '../store/migration/meta-table.ts'
import { openStore } from '../store/open.ts'
import { isStoreFile } from '../store/sqlite/inspect-file.ts'
import type { Store } from '../store/store.ts'
import { UsageError } from './error-message.ts'

/** For commands, which do one thing after the other. */
const CONNECTIONS = 2

/** Opens the database, or makes it. */
export const openDatabase = ({ config, dir }: Project): Promise<Store> =>
  openStore(config.database.url, { directory: dir, poolSize: CONNECTIONS })

/** Whether it is a file that is not there. */
export function isMissing({ config }: Project): boolean {
  const file = sqliteFile(config.database.url)
  return file !== null && !existsSync(file)
}

/** Whether to open it would write to it: it would make the file, or tables in one that is empty or somebody else's. */
export function isUntouched(project: Project): boolean {
  const file = sqliteFile(project.config.database.url)
  return file !== null && (isMissing(project) || !isStoreFile(file))
}

/**
 * Opens a database that content has been kept in, or what the table is for. Who mistakes another one for it would keep
 * a backup of nothing, or have every file removed since no document shows it.
 */
export async function openUsed(project: Project, table = META_TABLE): Promise<Store> {
  if (isUntouched(project)) throw nothingIn(project)
  const store = await openDatabase(project)
  if (await isUsed(store, table)) return store
  await store.close()
  throw nothingIn(project)
}

/** Looks at the database; where there is nothing yet at an empty one, of which nothing is left behind. */
export async function lookAt<Result>(
  project: Project,
  look: (store: Store) => Promise<Result>,
): Promise<Result> {
  const folder = isUntouched(project) ? mkdtempSync(path.join(tmpdir(), 'octavo-look-')) : null
  const store = await (folder ? openStore(sqliteUrl(path.join(folder, 'empty.db'))) : openDatabase(project))
  try {
    return await look(store)
  } finally {
    await store.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether it has the table, which a server or a migration makes. */
export async function isUsed(store: Store, table = META_TABLE): Promise<boolean> {
  const rows = await store.read(compile(store.dialect, store.dialect.hasTable(table)))
  return rows.length > 0
}

const nothingIn = ({ config }: Project) =>
  new UsageError(
    `There is nothing in the database ${placeOf(config.database.url)}\n  name the one that is meant with --database, or in the configuration (database.url)`,
  )

/** A database url that may be printed. */
export function placeOf(url: string): string {
  if (sqliteFile(url) !== null || !URL.canParse(url)) return url
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
