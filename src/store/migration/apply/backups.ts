/** What a migration takes away is set aside under another name and noted, until somebody sweeps it. */
import { compile } from '../../compile.ts'
import type { Dialect } from '../../dialect.ts'
import { type Sql, sql } from '../../sql.ts'
import type { Row } from '../../statement.ts'
import type { Store, Transaction } from '../../store.ts'
import { type ExistingTable, existingTables } from '../../tables/existing.ts'
import { EDGES } from '../../tables/layout.ts'
import { identifier } from '../../tables/tables.ts'
import { emptyIfNoTable } from '../meta-table.ts'

/** Something that was set aside: a table, a column, or the edges of a relation. */
export type Backup = {
  readonly name: string
  /** What it was, in words. */
  readonly of: string
  readonly at: string
} & (
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  | { readonly kind: 'edges'; readonly relation: number }
)

type NewBackup =
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  | { readonly kind: 'edges'; readonly relation: number }

const PREFIX = 'backup:'

/** Relations whose edges are set aside have keys that no attribute can have. */
export const backupKey = (key: string, relation: number) => `aside|${relation}|${key}`
export const isBackupKey = (key: string) => key.startsWith('aside|')

export const backupColumnName = (attribute: string, at: Date) => identifier(`was_${attribute}_${stamp(at)}`)
export const backupTableName = (table: string, at: Date) => identifier(`octavo_was_${table}_${stamp(at)}`)

const stamp = (at: Date) => at.toISOString().replace(/\D/g, '')

/** Notes a backup, so that it can be listed and swept. */
export function recordBackup(transaction: Transaction, of: string, at: Date, backup: NewBackup) {
  const name =
    backup.kind === 'edges'
      ? `edges ${backup.relation}`
      : backup.kind === 'table'
        ? backup.table
        : `${backup.table}.${backup.column}`
  transaction.run(
    compile(
      transaction.dialect,
      sql`INSERT INTO octavo_meta (key, value)
        VALUES (${PREFIX + name}, ${JSON.stringify({ name, of, at: at.toISOString(), ...backup })})
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    ),
  )
}

/** Tells the notes that a table is called otherwise now. */
export async function renameBackedUpTable(transaction: Transaction, from: string, to: string) {
  for (const backup of await readBackups((statement) => transaction.all(statement), transaction.dialect)) {
    if (backup.kind !== 'column' || backup.table !== from) continue
    deleteRecord(transaction, backup)
    recordBackup(transaction, backup.of, new Date(backup.at), {
      kind: 'column',
      table: to,
      column: backup.column,
    })
  }
}

/** Everything that is set aside, oldest first. */
export const listBackups = (store: Store): Promise<readonly Backup[]> =>
  readBackups((statement) => store.read(statement), store.dialect)

async function readBackups(
  all: (statement: ReturnType<typeof compile>) => Promise<readonly Row[]>,
  dialect: Dialect,
): Promise<readonly Backup[]> {
  const rows = await all(
    compile(dialect, sql`SELECT value FROM octavo_meta WHERE key LIKE ${`${PREFIX}%`}`),
  ).catch(emptyIfNoTable)
  const backups = rows.map((row): Backup => JSON.parse(String(row.value)))
  return backups.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
}

/** Drops everything that is set aside, for good, and answers with what it was. */
export async function purgeBackups(store: Store): Promise<readonly Backup[]> {
  const run = async (transaction: Transaction) => {
    transaction.lock(['octavo:migrate'])
    const backups = await readBackups((statement) => transaction.all(statement), store.dialect)
    const existing = await existingTables(transaction)
    // Columns first: one may be part of a table that was set aside later.
    const tablesLast = [...backups].sort(
      (one, other) => Number(one.kind === 'table') - Number(other.kind === 'table'),
    )
    for (const backup of tablesLast) dropBackup(transaction, backup, existing)
    return backups
  }
  return store.write(run, { long: true })
}

function dropBackup(transaction: Transaction, backup: Backup, existing: ReadonlyMap<string, ExistingTable>) {
  const run = (query: Sql) => transaction.run(compile(transaction.dialect, query))
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
  transaction.run(compile(transaction.dialect, sql`DELETE FROM octavo_meta WHERE key = ${PREFIX + name}`))
