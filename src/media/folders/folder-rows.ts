/** The table of folders. Every folder with files has a row, and so has every folder above it; the root has none. */
import { authorOf } from '../../documents/author.ts'
import type { Principal } from '../../query/scope.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { columnOf, type Layout } from '../../store/tables/layout.ts'
import { createOwnTables, type OwnTables } from '../../store/tables/own-tables.ts'
import { fileType } from '../files/records.ts'

export const FOLDERS = 'octavo_folders'

export const folders = sql.table(FOLDERS)

export const ROOT = '/'

/** The folder above; that of the root is the root. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || ROOT

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The path and the paths above it, without the root. */
const withAncestors = (path: string): string[] =>
  path === ROOT ? [] : [...withAncestors(parentOf(path)), path]

/** Whether a path is below another. The character after the slash ends the range, so that an index can find it. */
export const isBelow = (column: Sql, path: string): Sql =>
  sql`(${column} > ${`${path}/`} and ${column} < ${`${path}0`})`

/** Creates the table, with a row for each folder that has files. Safe to run in several processes at the same time. */
export async function createFolderTable(store: Store, layout: Layout): Promise<void> {
  await createOwnTables(store, folderTables)
  await store.write((transaction) => addMissingFolders(transaction, layout))
}

/** Replaces all folders with those of the files, after an import. */
export async function rebuildFolders(transaction: Transaction, layout: Layout): Promise<void> {
  for (const statement of folderTables(transaction.dialect))
    transaction.run(compile(transaction.dialect, statement))
  transaction.run(compile(transaction.dialect, sql`delete from ${folders}`))
  await addMissingFolders(transaction, layout)
}

const folderTables: OwnTables = (dialect) => {
  const text = sql.raw(dialect.textType)
  return [
    sql`create table if not exists ${folders} (
      path ${text} primary key, parent ${text} not null, created_by ${text}, created_at ${text} not null)`,
    sql`create index if not exists octavo_folders_parent on ${folders} (parent, path)`,
  ]
}

async function addMissingFolders(transaction: Transaction, layout: Layout): Promise<void> {
  transaction.lock([FOLDERS])
  const path = sql.id(columnOf('folderPath'))
  const missing = sql`select distinct ${path} as path from ${sql.table(fileType(layout).table)} as f
    where f.published = 1 and f.locale = '' and ${path} is not null and ${path} <> ${ROOT}
      and not exists (select 1 from ${folders} as o where o.path = f.${path})`
  for (const row of await transaction.all(compile(transaction.dialect, missing)))
    addFolder(transaction, String(row.path), null)
}

/** Adds a folder and those above it, unless they exist. */
export function addFolder(transaction: Transaction, path: string, by: Principal | null): void {
  const created = new Date().toISOString()
  const author = by && authorOf(by)
  const rows = withAncestors(path).map((each) => sql`(${each}, ${parentOf(each)}, ${author}, ${created})`)
  if (rows.length === 0) return
  transaction.run(
    compile(
      transaction.dialect,
      sql`insert into ${folders} (path, parent, created_by, created_at) values ${sql.join(rows)}
        on conflict (path) do nothing`,
    ),
  )
}
