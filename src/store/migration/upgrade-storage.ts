/** Storage that an older Octavo has made, brought to the format of this one before anything else is asked of it. */
import { compile } from '../compile.ts'
import { type Sql, sql } from '../sql.ts'
import type { Transaction } from '../store.ts'
import { updatePublishedFlags } from '../tables/edge-published-flag.ts'
import { EDGES, INVERSE } from '../tables/layout.ts'
import { readFormat, readTableStates, STORAGE_FORMAT, storeFormat } from './meta-table.ts'

/** Upgrades a database under the lock of a migration; one that is new or of this format is left as it is. */
export async function upgradeStorage(transaction: Transaction): Promise<void> {
  const format = await readFormat(transaction)
  if (format === null || format >= STORAGE_FORMAT) return
  if (format < 2) await tellDraftsApart(transaction)
  else if (format < 3 && !transaction.dialect.separatesDraftsInInverseIndex) dropInverse(transaction)
  storeFormat(transaction)
}

/** Format 3: the index from targets to owners has another order on SQLite. It is made again with whatever is missing. */
function dropInverse(transaction: Transaction) {
  transaction.run(compile(transaction.dialect, sql`DROP INDEX IF EXISTS ${sql.id(INVERSE)}`))
}

/** Format 2: edges know whether they start at a published row, and what is served begins with the documentId. */
async function tellDraftsApart(transaction: Transaction) {
  const run = (query: Sql) => transaction.run(compile(transaction.dialect, query))
  const edges = sql.table(EDGES)
  run(sql`ALTER TABLE ${edges} ADD COLUMN published smallint NOT NULL DEFAULT 1`)
  run(sql`DROP INDEX octavo_edges_target`)
  const states = await readTableStates(transaction)
  const relations = await transaction.all(
    compile(transaction.dialect, sql`SELECT id, key FROM octavo_relations ORDER BY id`),
  )
  for (const { id, key } of relations) {
    const owner = states.get(String(key).split('|')[0] ?? '')
    if (owner) updatePublishedFlags(transaction, Number(id), owner.table)
  }
  for (const { table } of states.values()) {
    run(sql`UPDATE ${sql.table(table)} SET served = ',"documentId":"' || document_id || '"' || served`)
    transaction.touch(table)
  }
  transaction.touch(EDGES)
}
