/** Content that a migration drops is renamed and recorded as a backup until it is purged. */
import { type Sql, sql } from '../../sql.ts'
import type { Store, Transaction } from '../../store.ts'
import { type ExistingTable, existingTables } from '../../tables/existing.ts'
import { identifier } from '../../tables/identifier.ts'
import { EDGES } from '../../tables/layout.ts'
import { emptyIfNoTable } from '../meta-table.ts'
import { execute, type ReadSql, readFrom, readWithin } from '../run-sql.ts'

type BackedUp =
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  | { readonly kind: 'edges'; readonly relation: number }

/** A backup as it is recorded in octavo_meta. */
export type Backup = BackedUp & {
  readonly name: string
  /** Describes the original, such as `api::book.book, attribute code`. */
  readonly of: string
  readonly at: string
}

const META_PREFIX = 'backup:'

/** Backed up edges belong to a relation whose key no attribute can have. */
export const backupKey = (key: string, relation: number) => `aside|${relation}|${key}`
export const isBackupKey = (key: string) => key.startsWith('aside|')

export const backupColumnName = (attribute: string, at: Date) =>
  identifier(`was_${attribute}_${timestamp(at)}`)
export const backupTableName = (table: string, at: Date) => identifier(`octavo_was_${table}_${timestamp(at)}`)

const timestamp = (at: Date) => at.toISOString().replace(/\D/g, '')

/** Records a backup, so that it can be listed and purged. */
export function recordBackup(transaction: Transaction, of: string, at: Date, backup: BackedUp) {
  const name = nameOf(backup)
  execute(
    transaction,
    sql`INSERT INTO octavo_meta (key, value)
      VALUES (${META_PREFIX + name}, ${JSON.stringify({ name, of, at: at.toISOString(), ...backup })})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  )
}

function nameOf(backup: BackedUp): string {
  switch (backup.kind) {
    case 'edges':
      return `edges ${backup.relation}`
    case 'table':
      return backup.table
    case 'column':
      return `${backup.table}.${backup.column}`
  }
}

/** Updates the records of backed up columns whose table was renamed. */
export async function renameBackedUpTable(transaction: Transaction, from: string, to: string) {
  for (const backup of await readBackups(readWithin(transaction))) {
    if (backup.kind !== 'column' || backup.table !== from) continue
    deleteRecord(transaction, backup)
    recordBackup(transaction, backup.of, new Date(backup.at), {
      kind: 'column',
      table: to,
      column: backup.column,
    })
  }
}

/** All backups, oldest first. */
export const listBackups = (store: Store): Promise<readonly Backup[]> => readBackups(readFrom(store))

async function readBackups(read: ReadSql): Promise<readonly Backup[]> {
  const rows = await read(sql`SELECT value FROM octavo_meta WHERE key LIKE ${`${META_PREFIX}%`}`).catch(
    emptyIfNoTable,
  )
  const backups = rows.map((row): Backup => JSON.parse(String(row.value)))
  return backups.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
}

/** Deletes all backups permanently and returns what they were. */
export function purgeBackups(store: Store): Promise<readonly Backup[]> {
  const purge = async (transaction: Transaction) => {
    transaction.lock(['octavo:migrate'])
    const backups = await readBackups(readWithin(transaction))
    const existing = await existingTables(transaction)
    // Columns first: one may be in a table that was backed up later.
    const tablesLast = [...backups].sort(
      (one, other) => Number(one.kind === 'table') - Number(other.kind === 'table'),
    )
    for (const backup of tablesLast) dropBackup(transaction, backup, existing)
    return backups
  }
  return store.write(purge, { long: true })
}

function dropBackup(transaction: Transaction, backup: Backup, existing: ReadonlyMap<string, ExistingTable>) {
  const run = (query: Sql) => execute(transaction, query)
  switch (backup.kind) {
    case 'table':
      run(sql`DROP TABLE IF EXISTS ${sql.table(backup.table)}`)
      break
    case 'column':
      if (existing.get(backup.table)?.columns.has(backup.column)) {
        run(sql`ALTER TABLE ${sql.table(backup.table)} DROP COLUMN ${sql.id(backup.column)}`)
      }
      break
    case 'edges':
      run(sql`DELETE FROM ${sql.table(EDGES)} WHERE relation = ${backup.relation}`)
      run(sql`DELETE FROM octavo_relations WHERE id = ${backup.relation}`)
  }
  deleteRecord(transaction, backup)
}

const deleteRecord = (transaction: Transaction, { name }: Backup) =>
  execute(transaction, sql`DELETE FROM octavo_meta WHERE key = ${META_PREFIX + name}`)
