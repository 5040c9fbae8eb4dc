/**
 * Storage format 4: events have columns for the audit log, which takes its records of content from them. Other records wait
 * in a table of their own until they are added to the chain, and the id of a record in the chain is its number.
 */
import { type Sql, sql } from '../sql.ts'
import type { Transaction } from '../store.ts'
import { existingTables } from '../tables/existing.ts'
import { execute } from './run-sql.ts'

const CONTENT = sql.raw(
  'at, action, author, type, document_id, locale, fields, details, address, user_agent, request_id',
)

/** Leaves tables unchanged that have just been created. */
export async function upgradeAuditTables(transaction: Transaction): Promise<void> {
  const run = (query: Sql) => execute(transaction, query)
  const tables = await existingTables(transaction)
  const isOlder = (table: string, column: string) => tables.get(table)?.columns.has(column) === false
  if (isOlder('octavo_events', 'fields'))
    for (const column of ['fields', 'address', 'user_agent'])
      run(sql`ALTER TABLE octavo_events ADD COLUMN ${sql.id(column)} text`)
  if (!isOlder('octavo_audit_chain', 'last_event')) return
  run(sql`ALTER TABLE octavo_audit_chain ADD COLUMN last_event bigint NOT NULL DEFAULT 0`)
  if (!tables.has('octavo_audit_incoming'))
    run(sql`CREATE TABLE octavo_audit_incoming (id ${sql.raw(transaction.dialect.ascendingIdType)}, at text NOT NULL,
      action text NOT NULL, author text NOT NULL, type text, document_id text, locale text, fields text NOT NULL,
      details text, address text, user_agent text, request_id text)`)
  run(sql`INSERT INTO octavo_audit_incoming (${CONTENT}) SELECT ${CONTENT} FROM octavo_audit
    WHERE hash IS NULL ORDER BY id`)
  run(sql`DELETE FROM octavo_audit WHERE hash IS NULL`)
  for (const index of ['document', 'author', 'at', 'beside_content', 'seq', 'unnumbered'])
    run(sql`DROP INDEX IF EXISTS ${sql.id(`octavo_audit_${index}`)}`)
  if (tables.get('octavo_audit')?.columns.has('seq')) useNumbersAsIds(run)
}

function useNumbersAsIds(run: (query: Sql) => void): void {
  run(sql`ALTER TABLE octavo_audit ALTER COLUMN id DROP IDENTITY IF EXISTS`)
  // In two steps, so that no id is the same as one that is still to be changed.
  run(sql`UPDATE octavo_audit SET id = -seq`)
  run(sql`UPDATE octavo_audit SET id = -id`)
  run(sql`ALTER TABLE octavo_audit DROP COLUMN seq`)
}
