/**
 * An index that is being created. `CREATE INDEX` is one transaction, and writes wait for it: 2.5 s for a million rows. So the index
 * grows in steps, as that of another table: a copy of the indexed columns, to which triggers pass on every change. When the copy
 * has all rows, its index becomes that of the original: `hand-over.ts`.
 */
import { compile } from '../../compile.ts'
import { type Sql, sql } from '../../sql.ts'
import type { IndexDefinition } from '../../store.ts'
import { automaticIndexRows } from '../../tables/automatic-indexes.ts'
import { sqliteDialect } from '../dialect.ts'
import { copyName, trigger } from './drop-build.ts'

/** The index of the copy. */
export const copyIndexName = (index: string): string => `${index}_copied`

const listOf = (columns: readonly string[]) => sql.join(columns.map((column) => sql.id(column)))

/** The id first, which is the key of the copy. */
const copiedColumns = ({ columns }: IndexDefinition) => ['id', 'published', 'locale', ...columns] as const

const createIndex = (name: string, index: Pick<IndexDefinition, 'table' | 'columns'>) =>
  sql`CREATE INDEX ${sql.id(name)} ON ${automaticIndexRows(sqliteDialect, index)}`

/** The statement that SQLite stores as the definition of the finished index. */
export const finishedIndex = (index: IndexDefinition): string =>
  compile(sqliteDialect, createIndex(index.name, index)).sql

/** The type of each column of a table. The entries of an index depend on them. */
export const columnTypes = (table: string): Sql => sql`SELECT name, type FROM pragma_table_info(${table})`

/** Creates an empty copy, its index, and the triggers. */
export function startBuild(index: IndexDefinition, typeOf: (column: string) => string): readonly Sql[] {
  const { name, columns } = index
  const rows = sql.table(index.table)
  const table = copyName(name)
  const copy = sql.table(table)
  const [id, ...others] = copiedColumns(index)
  const definitions = others.map((column) => sql`${sql.id(column)} ${sql.raw(typeOf(column))}`)
  const all = listOf(copiedColumns(index))
  const values = sql.join(copiedColumns(index).map((column) => sql.ref(`new.${column}`)))
  return [
    sql`CREATE TABLE ${copy} (${sql.id(id)} INTEGER PRIMARY KEY, ${sql.join(definitions)}) STRICT`,
    createIndex(copyIndexName(name), { table, columns }),
    sql`CREATE TRIGGER ${trigger(name, 'insert')} AFTER INSERT ON ${rows} BEGIN
      INSERT INTO ${copy} (${all}) VALUES (${values}); END`,
    // A row that is not in the copy yet will be copied as it then is.
    sql`CREATE TRIGGER ${trigger(name, 'update')} AFTER UPDATE OF ${all} ON ${rows} BEGIN
      UPDATE ${copy} SET (${all}) = (${values}) WHERE id = old.id; END`,
    sql`CREATE TRIGGER ${trigger(name, 'delete')} AFTER DELETE ON ${rows} BEGIN
      DELETE FROM ${copy} WHERE id = old.id; END`,
  ]
}

/** The last id of a step of `rows` rows; no row if fewer are left. */
export const endOfStep = ({ table }: IndexDefinition, after: number, rows: number): Sql =>
  sql`SELECT id FROM ${sql.table(table)} WHERE id > ${after} ORDER BY id LIMIT 1 OFFSET ${rows - 1}`

/** Copies the rows up to an id, or all that are left. Triggers may have copied some of them already. */
export function copyRows(index: IndexDefinition, after: number, end: number | null): Sql {
  const all = listOf(copiedColumns(index))
  // Neighbours in the index are added one after the other.
  const order = listOf(['published', 'locale', ...index.columns])
  const limit = end === null ? sql`` : sql` AND id <= ${end}`
  return sql`INSERT OR IGNORE INTO ${sql.table(copyName(index.name))} (${all})
    SELECT ${all} FROM ${sql.table(index.table)} WHERE id > ${after}${limit} ORDER BY ${order}`
}
