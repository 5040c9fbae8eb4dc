/** Creates, renames, moves and deletes folders. No file is deleted with its folder. */
import { authorOf } from '../../documents/author.ts'
import { errors } from '../../errors.ts'
import { FILE } from '../../model/model.ts'
import type { Scope } from '../../query/scope.ts'
import { compile } from '../../store/compile.ts'
import { type Sql, sql } from '../../store/sql.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { columnOf, type Layout } from '../../store/tables/layout.ts'
import { parseFolderPath } from '../files/names.ts'
import { fileType } from '../files/records.ts'
import { addFolder, FOLDERS, folders, isBelow, nameOf, parentOf, ROOT } from './folder-rows.ts'
import type { Subfolder } from './list-folders.ts'

interface FolderWrite {
  readonly store: Store
  readonly layout: Layout
  readonly scope: Scope
}

/** Creates a folder, and those above it that do not exist. */
export function createFolder({ store, scope }: FolderWrite, path: string): Promise<Subfolder> {
  checkMayCreate(scope)
  refuseRoot(path)
  return store.write(async (transaction) => {
    await lockFolders(transaction)
    if (await exists(transaction, path)) throw errors.invalid(`The folder ${path} exists already`)
    addFolder(transaction, path, scope.principal)
    return { path, name: nameOf(path), files: 0, folders: 0 }
  })
}

/** Renames or moves a folder with all that is in it. */
export function moveFolder(write: FolderWrite, from: string, to: string): Promise<Subfolder> {
  refuseRoot(from)
  refuseRoot(to)
  if (to.startsWith(`${from}/`)) throw errors.invalid(`The folder ${from} cannot be moved into itself`)
  return write.store.write(async (transaction) => {
    await lockFolders(transaction)
    const content = await contentOf(transaction, write, from)
    checkMayChange(write.scope, content)
    if (from !== to) {
      if (await exists(transaction, to)) throw errors.invalid(`The folder ${to} exists already`)
      // Throws if a folder below would be too deep.
      for (const path of content.paths) parseFolderPath(to + path.slice(from.length))
      addFolder(transaction, parentOf(to), write.scope.principal)
      moveRows(transaction, write.layout, from, to)
    }
    return subfolder(to, content)
  })
}

/** Deletes a folder. If it has contents, `movesContents` must be set: its files then move to the folder above. */
export function deleteFolder(write: FolderWrite, path: string, movesContents: boolean): Promise<Subfolder> {
  refuseRoot(path)
  return write.store.write(async (transaction) => {
    await lockFolders(transaction)
    const content = await contentOf(transaction, write, path)
    checkMayChange(write.scope, content)
    const isEmpty = content.allFiles === 0 && content.paths.length === 1
    if (!isEmpty && !movesContents)
      throw errors.invalid(
        `The folder ${path} is not empty; with contents=move its ${content.allFiles} files move to ${parentOf(path)}`,
      )
    if (content.allFiles > 0) emptyFolder(transaction, write.layout, path)
    run(transaction, sql`delete from ${folders} where path = ${path} or ${isBelow(sql.id('path'), path)}`)
    return subfolder(path, content)
  })
}

interface FolderContent {
  readonly path: string
  /** Of the folder and those below it. */
  readonly paths: readonly string[]
  readonly authors: ReadonlySet<string | null>
  readonly files: number
  /** With those in folders below. */
  readonly allFiles: number
}

async function contentOf(
  transaction: Transaction,
  { layout }: FolderWrite,
  path: string,
): Promise<FolderContent> {
  const rows = await all(
    transaction,
    sql`select path, created_by from ${folders} where path = ${path} or ${isBelow(sql.id('path'), path)}`,
  )
  if (!rows.some((row) => row.path === path)) throw errors.notFound(`There is no folder ${path}`)
  const column = folderColumn()
  const [counts] = await all(
    transaction,
    sql`select count(*) as every, count(case when ${column} = ${path} then 1 end) as own from ${filesOf(layout)}
      where ${isIn(column, path)}`,
  )
  return {
    path,
    paths: rows.map((row) => String(row.path)),
    authors: new Set(rows.map((row) => (row.created_by === null ? null : String(row.created_by)))),
    files: Number(counts?.own),
    allFiles: Number(counts?.every),
  }
}

const subfolder = (path: string, content: FolderContent): Subfolder => ({
  path,
  name: nameOf(path),
  files: content.files,
  folders: content.paths.filter((each) => parentOf(each) === content.path).length,
})

function checkMayCreate(scope: Scope): void {
  const fields = scope.rule(FILE, 'create')?.fields
  if (!scope.may(FILE, 'create') || (fields && !fields.includes('folderPath'))) throw errors.forbidden()
}

/** Moves every file in a folder, so it requires permission to update all files; uploaders may change their own empty ones. */
function checkMayChange(scope: Scope, { authors, allFiles }: FolderContent): void {
  const rule = scope.rule(FILE, 'update')
  const isUnrestricted = !rule?.filters && (!rule?.fields || rule.fields.includes('folderPath'))
  if (scope.may(FILE, 'update') && isUnrestricted) return
  const author = authorOf(scope.principal)
  const isOwn = author !== null && [...authors].every((each) => each === author)
  if (!isOwn || allFiles > 0 || !scope.may(FILE, 'create')) throw errors.forbidden()
}

function refuseRoot(path: string): void {
  if (path === ROOT) throw errors.invalid('The root folder cannot be created, moved or deleted')
}

/** Folders are changed one after the other. */
async function lockFolders(transaction: Transaction): Promise<void> {
  transaction.lock([FOLDERS])
}

async function exists(transaction: Transaction, path: string): Promise<boolean> {
  return (await all(transaction, sql`select 1 as one from ${folders} where path = ${path}`)).length > 0
}

/** The folder is neither part of responses nor of change records, so rows change in one statement, whatever their number. */
function moveRows(transaction: Transaction, layout: Layout, from: string, to: string): void {
  const moved = (column: Sql) =>
    sql`cast(${to} as text) || substr(${column}, length(cast(${from} as text)) + 1)`
  const column = folderColumn()
  run(
    transaction,
    sql`update ${filesOf(layout)} set ${column} = ${moved(column)} where ${isIn(column, from)}`,
  )
  const [path, parent] = [sql.id('path'), sql.id('parent')]
  run(
    transaction,
    sql`update ${folders} set path = ${moved(path)}, parent = ${moved(parent)} where ${isBelow(path, from)}`,
  )
  run(transaction, sql`update ${folders} set path = ${to}, parent = ${parentOf(to)} where path = ${from}`)
  transaction.touch(fileType(layout).table)
}

function emptyFolder(transaction: Transaction, layout: Layout, path: string): void {
  const column = folderColumn()
  run(
    transaction,
    sql`update ${filesOf(layout)} set ${column} = ${parentOf(path)} where ${isIn(column, path)}`,
  )
  transaction.touch(fileType(layout).table)
}

const filesOf = (layout: Layout) => sql.table(fileType(layout).table)
const folderColumn = () => sql.id(columnOf('folderPath'))

/** Files in a folder or below it; the first two conditions let the index find them. */
const isIn = (column: Sql, path: string): Sql =>
  sql`published = 1 and locale = '' and (${column} = ${path} or ${isBelow(column, path)})`

const run = (transaction: Transaction, query: Sql) => transaction.run(compile(transaction.dialect, query))
const all = (transaction: Transaction, query: Sql) => transaction.all(compile(transaction.dialect, query))
