/**
 * Makes the index of the copy that of the original. The entries of both would be the same, because an index stores the values of
 * its columns and the id of the row (https://www.sqlite.org/fileformat2.html#representation_of_sql_indices). So only the definition
 * changes, as SQLite allows for changes that leave the stored content as it is
 * (https://www.sqlite.org/lang_altertable.html#otheralter).
 */
import type { DatabaseSync } from 'node:sqlite'
import { compile } from '../../compile.ts'
import type { IndexDefinition } from '../../store.ts'
import { sqliteDialect } from '../dialect.ts'
import { copyName, dropBuild } from './drop-build.ts'
import { copyIndexName, finishedIndex } from './index-build.ts'

/**
 * Hands the index over in a transaction, unless another process has done so. Refuses if a row is missing from it: reads
 * would then miss documents.
 */
export function handOver(database: DatabaseSync, index: IndexDefinition): void {
  // Without this, SQLite does not let anyone change its schema table.
  database.enableDefensive(false)
  try {
    database.exec('BEGIN IMMEDIATE; PRAGMA writable_schema = ON')
    if (exists(database, index.name)) return
    refuseIfIncomplete(database, index)
    const { changes } = database
      .prepare(`UPDATE sqlite_schema SET name = ?, tbl_name = ?, sql = ? WHERE type = 'index' AND name = ?`)
      .run(index.name, index.table, finishedIndex(index), copyIndexName(index.name))
    if (Number(changes) !== 1) throw new Error(`There is nothing to hand over for the index ${index.name}`)
    // Makes this connection read the schema again; otherwise it would drop the index with the copy. Dropping makes the others do so.
    database.exec('PRAGMA writable_schema = RESET')
    for (const statement of dropBuild(index.name)) database.exec(compile(sqliteDialect, statement).sql)
    database.exec('COMMIT')
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
    database.exec('PRAGMA writable_schema = RESET')
    database.enableDefensive(true)
  }
}

const exists = (database: DatabaseSync, name: string): boolean =>
  database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined

function refuseIfIncomplete(database: DatabaseSync, { name, table }: IndexDefinition) {
  const count = (of: string) => Number(database.prepare(`SELECT count(*) AS count FROM "${of}"`).get()?.count)
  const rows = count(table)
  const copied = count(copyName(name))
  if (copied !== rows) throw new Error(`The index ${name} has ${copied} of ${rows} rows of ${table}`)
}
