/** Reads which tables, columns and indexes a database has. */
import { compile } from '../compile.ts'
import type { Transaction } from '../store.ts'

export interface ExistingTable {
  readonly columns: ReadonlySet<string>
  readonly indexes: ReadonlySet<string>
}

/** All tables by name, read in one statement. */
export async function existingTables(transaction: Transaction): Promise<ReadonlyMap<string, ExistingTable>> {
  const { dialect } = transaction
  const statement = compile(dialect, dialect.listColumnsAndIndexes)
  const tables = new Map<string, { columns: Set<string>; indexes: Set<string> }>()
  for (const { kind, owner, name } of await transaction.all(statement)) {
    const table = tables.get(String(owner)) ?? { columns: new Set(), indexes: new Set() }
    tables.set(String(owner), table)
    table[kind === 'index' ? 'indexes' : 'columns'].add(String(name))
  }
  return tables
}
