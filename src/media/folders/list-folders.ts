/** Lists folders: all that contain files, or a page of those inside one. One statement each. */
import { authorOf } from '../../documents/author.ts'
import { errors } from '../../errors.ts'
import { FILE } from '../../model/model.ts'
import type { Rest } from '../../query/parse-query.ts'
import type { Scope } from '../../query/scope.ts'
import { valueCountsStatement } from '../../reads/value-counts.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import type { Row, Statement } from '../../store/statement.ts'
import type { Store } from '../../store/store.ts'
import { columnOf, type Layout } from '../../store/tables/layout.ts'
import { canReadFolders } from '../files/permissions.ts'
import { fileType } from '../files/records.ts'
import { folders, nameOf, parentOf, ROOT } from './folder-rows.ts'

export interface Folder {
  readonly path: string
  /** Without those in subfolders. */
  readonly files: number
}

export interface Subfolder extends Folder {
  readonly name: string
  /** The number of folders directly inside. */
  readonly folders: number
}

/** What is requested of the folders inside one. */
export interface FolderPage {
  readonly parent: string
  readonly start: number
  readonly limit: number
}

export interface SubfolderPage {
  readonly folders: readonly Subfolder[]
  /** Of all pages. */
  readonly total: number
}

interface FolderReads {
  readonly store: Pick<Store, 'dialect'>
  readonly layout: Layout
  readonly scope: Scope
  readonly rest: Rest['rest']
}

/** The statement of a list of folders; null requests all that contain files that the caller may find. */
export function foldersStatement(reads: FolderReads, page: FolderPage | null): Statement {
  if (!canReadFolders(reads.scope)) throw errors.forbidden()
  if (page === null) return countsStatement(reads)
  return seesAllFiles(reads.scope) ? pageStatement(reads, page) : ownFoldersStatement(reads)
}

/** Folders with files, sorted by path. */
export function foldersIn(rows: readonly Row[]): Folder[] {
  return [...fileCounts(rows)]
    .map(([path, files]) => ({ path, files }))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** A page of the folders in one, by the rows of its statement. */
export function subfoldersIn(rows: readonly Row[], scope: Scope, page: FolderPage): SubfolderPage {
  if (!seesAllFiles(scope)) return subfoldersOfCounts(fileCounts(rows), page)
  return {
    folders: rows.flatMap(({ path, files, folders }) =>
      path === null
        ? []
        : [
            {
              path: String(path),
              name: nameOf(String(path)),
              files: Number(files),
              folders: Number(folders),
            },
          ],
    ),
    total: Number(rows[0]?.total ?? 0),
  }
}

/** Without a row rule every folder is visible, and its files are counted by an index. */
const seesAllFiles = (scope: Scope) => !scope.rule(FILE, 'find')?.filters

/** The number of files that the caller may find, by folder. */
const countsStatement = ({ store: { dialect }, layout, scope, rest }: FolderReads): Statement =>
  valueCountsStatement(fileType(layout), 'folderPath', scope, layout, dialect, rest)

function pageStatement(
  { store: { dialect }, layout }: FolderReads,
  { parent, start, limit }: FolderPage,
): Statement {
  const files = sql.table(fileType(layout).table)
  return compile(
    dialect,
    sql`select t.total, p.path,
        (select count(*) from ${files} as f
          where f.published = 1 and f.locale = '' and f.${sql.id(columnOf('folderPath'))} = p.path) as files,
        (select count(*) from ${folders} as s where s.parent = p.path) as folders
      from (select count(*) as total from ${folders} where parent = ${parent}) as t
      left join (select path from ${folders} where parent = ${parent}
        order by path limit ${limit} offset ${start}) as p on 1 = 1
      order by p.path`,
  )
}

/** For callers who may find some files only: the folders of those, and the ones that they have created themselves. */
function ownFoldersStatement(reads: FolderReads): Statement {
  const counts = countsStatement(reads)
  const author = authorOf(reads.scope.principal)
  if (author === null) return counts
  const { dialect } = reads.store
  const placeholder = dialect.placeholder(counts.parameters.length + 1)
  const own = compile(dialect, sql`select path as value, 0 as count from ${folders}`)
  return {
    sql: `select value, count from (${counts.sql}) as c union all ${own.sql} where created_by = ${placeholder}`,
    parameters: [...counts.parameters, author],
  }
}

function fileCounts(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { value, count } of rows) {
    // Files without a folder are in the root folder.
    const path = value === null ? ROOT : String(value)
    counts.set(path, (counts.get(path) ?? 0) + Number(count))
  }
  return counts
}

/** A folder is visible if one below it is. */
function subfoldersOfCounts(
  counts: ReadonlyMap<string, number>,
  { parent, start, limit }: FolderPage,
): SubfolderPage {
  const visible = new Set<string>()
  for (let path of counts.keys()) for (; path !== ROOT; path = parentOf(path)) visible.add(path)
  const inside = (path: string) => [...visible].filter((each) => parentOf(each) === path).sort()
  const all = inside(parent)
  return {
    folders: all.slice(start, start + limit).map((path) => ({
      path,
      name: nameOf(path),
      files: counts.get(path) ?? 0,
      folders: inside(path).length,
    })),
    total: all.length,
  }
}
