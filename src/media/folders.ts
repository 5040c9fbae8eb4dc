/** The folders of the library. A folder is there while a file is in it. */
import { sql } from 'kysely'
import { compile } from '../store/compile.ts'
import { columnOf, type Layout } from '../store/layout.ts'
import type { EngineName, Statement, Store } from '../store/store.ts'
import { filesOf } from './records.ts'

export interface Folder {
  readonly path: string
  /** How many files are in it, those of folders below not counted. */
  readonly files: number
}

/** The statement that lists them. */
export function foldersStatement(engine: EngineName, layout: Layout): Statement {
  const path = sql.id(columnOf('folderPath'))
  return compile(
    engine,
    sql`select coalesce(${path}, '/') as path, count(*) as files
      from ${sql.table(filesOf(layout).table)} group by coalesce(${path}, '/') order by 1`,
  )
}

/** Every folder that holds files, by path. */
export async function listFolders(store: Store, layout: Layout): Promise<Folder[]> {
  const rows = await store.read(foldersStatement(store.engine, layout))
  return rows.map((row) => ({ path: String(row.path), files: Number(row.files) }))
}
