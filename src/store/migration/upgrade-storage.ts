/** Upgrades the storage format of a database that an older Octavo has written. */
import { type Sql, sql } from '../sql.ts'
import type { Transaction } from '../store.ts'
import { updatePublishedFlags } from '../tables/edge-published-flag.ts'
import { EDGES, INVERSE } from '../tables/layout.ts'
import { readFormat, readTypeTables, STORAGE_FORMAT, storeFormat } from './meta-table.ts'
import { execute, readWithin } from './run-sql.ts'
import { upgradeAuditTables } from './upgrade-audit-tables.ts'

/** Runs under the migration lock. New databases and those of the current format are left unchanged. */
export async function upgradeStorage(transaction: Transaction): Promise<void> {
  const format = await readFormat(transaction)
  if (format === null || format >= STORAGE_FORMAT) return
  if (format < 2) await upgradeToFormat2(transaction)
  else if (format < 3 && !transaction.dialect.separatesDraftsInInverseIndex) upgradeToFormat3(transaction)
  await upgradeAuditTables(transaction)
  storeFormat(transaction)
}

/** Format 3: the inverse index has another column order on SQLite. It is created again with other missing indexes. */
function upgradeToFormat3(transaction: Transaction) {
  execute(transaction, sql`DROP INDEX IF EXISTS ${sql.id(INVERSE)}`)
}

/** Format 2: edges have a published flag, and the served JSON starts with the documentId. */
async function upgradeToFormat2(transaction: Transaction) {
  const run = (query: Sql) => execute(transaction, query)
  const edges = sql.table(EDGES)
  run(sql`ALTER TABLE ${edges} ADD COLUMN published smallint NOT NULL DEFAULT 1`)
  run(sql`DROP INDEX octavo_edges_target`)
  const tables = await readTypeTables(transaction)
  const relations = await readWithin(transaction)(sql`SELECT id, key FROM octavo_relations ORDER BY id`)
  for (const { id, key } of relations) {
    const owner = tables.get(String(key).split('|')[0] ?? '')
    if (owner) updatePublishedFlags(transaction, Number(id), owner.table)
  }
  for (const { table } of tables.values()) {
    run(sql`UPDATE ${sql.table(table)} SET served = ',"documentId":"' || document_id || '"' || served`)
    transaction.touch(table)
  }
  transaction.touch(EDGES)
}
