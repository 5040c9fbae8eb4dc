/**
 * Makes the index of the copy that of the original. Both would be the same, entry by entry: SQLite stores the values of the
 * columns and the id of the row. So only their definition changes, in the way that SQLite documents for changes of the schema that
 * leave the stored content as it is: https://www.sqlite.org/lang_altertable.html#otheralter
 */
import type { DatabaseSync } from 'node:sqlite'
import { compile } from '../../compile.ts'
import type { IndexDefinition } from '../../store.ts'
import { sqliteDialect } from '../dialect.ts'
import { copyName, dropBuild } from './drop-build.ts'
import { copyIndexName, finishedIndex } from './index-build.ts'

/** Hands the index over in a transaction, unless it lacks a row: reads would miss documents. */
export function handOver(database: DatabaseSync, index: IndexDefinition): void {
  // Without this, SQLite does not let anyone change its schema table.
  database.enableDefensive(false)
  try {
    database.exec('BEGIN IMMEDIATE; PRAGMA writable_schema = ON')
    refuseIfIncomplete(database, index)
    const { changes } = database
      .prepare(`UPDATE sqlite_schema SET name = ?, tbl_name = ?, sql = ? WHERE type = 'index' AND name = ?`)
      .run(index.name, index.table, finishedIndex(index), copyIndexName(index.name))
    if (Number(changes) !== 1) throw new Error(`There is nothing to hand over for the index ${index.name}`)
    // This connection reads the schema again, and would otherwise drop the index with the copy. The others read it again because
    // something is dropped.
    database.exec('PRAGMA writable_schema = RESET')
    for (const statement of dropBuild(index.name)) database.exec(compile(sqliteDialect, statement).sql)
    database.exec('COMMIT')
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
    database.exec('PRAGMA writable_schema = RESET')
    database.enableDefensive(true)
  }
}

function refuseIfIncomplete(database: DatabaseSync, { name, table }: IndexDefinition) {
  const count = (of: string) => Number(database.prepare(`SELECT count(*) AS count FROM "${of}"`).get()?.count)
  const missing = count(table) - count(copyName(name))
  if (missing !== 0) throw new Error(`The index ${name} lacks ${missing} rows of ${table}`)
}
