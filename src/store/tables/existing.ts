/** The tables, columns and indexes that a database has. */
import { compile } from '../compile.ts'
import { sql } from '../sql.ts'
import type { Transaction } from '../store.ts'

export interface ExistingTable {
  readonly columns: ReadonlySet<string>
  readonly indexes: ReadonlySet<string>
}

/** All tables by name, in one statement. */
export async function existingTables(transaction: Transaction): Promise<ReadonlyMap<string, ExistingTable>> {
  const query =
    transaction.engine === 'sqlite'
      ? sql`SELECT 'column' AS kind, item.name AS owner, info.name AS name
            FROM sqlite_master AS item JOIN pragma_table_info(item.name) AS info WHERE item.type = 'table'
          UNION ALL SELECT 'index', tbl_name, name FROM sqlite_master WHERE type = 'index'`
      : sql`SELECT 'column' AS kind, table_name::text AS owner, column_name::text AS name
            FROM information_schema.columns WHERE table_schema = current_schema()
          UNION ALL SELECT 'index', tablename::text, indexname::text
            FROM pg_indexes WHERE schemaname = current_schema()`
  const tables = new Map<string, { columns: Set<string>; indexes: Set<string> }>()
  for (const { kind, owner, name } of await transaction.all(compile(transaction.engine, query))) {
    const table = tables.get(String(owner)) ?? { columns: new Set(), indexes: new Set() }
    tables.set(String(owner), table)
    table[kind === 'index' ? 'indexes' : 'columns'].add(String(name))
  }
  return tables
}
