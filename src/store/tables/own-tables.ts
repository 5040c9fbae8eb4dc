/** The server's own tables, which belong to no content-type. */
import { compile } from '../compile.ts'
import type { Dialect } from '../dialect.ts'
import type { Sql } from '../sql.ts'
import type { Statement } from '../statement.ts'
import type { Store } from '../store.ts'

/** Statements that create tables and their indexes if they do not exist, and their first rows. */
export type OwnTables = (dialect: Dialect) => readonly Sql[]

const CREATES = /^\s*create (?:table|(?:unique )?index) if not exists "?(\w+)/i

/**
 * Creates the tables and indexes that do not exist, in one transaction. Safe to run in several processes at the same time,
 * also beside those that write: statements for what exists are not run, because PostgreSQL would lock the table for them.
 */
export async function createOwnTables(store: Store, ...tables: readonly OwnTables[]): Promise<void> {
  const { dialect } = store
  const rows = await store.read(compile(dialect, dialect.ownRelations))
  const existing = new Set(rows.map(({ name }) => String(name)))
  const exists = ({ sql }: Statement) => existing.has(CREATES.exec(sql)?.[1] ?? '')
  const missing = tables.flatMap((statements) => {
    const compiled = statements(dialect).map((statement) => compile(dialect, statement))
    const isComplete = compiled.every((statement) => exists(statement) || !CREATES.test(statement.sql))
    return isComplete ? [] : compiled.filter((statement) => !exists(statement))
  })
  if (missing.length === 0) return
  await store.write(async (transaction) => {
    transaction.lock(['octavo_own_tables'])
    for (const statement of missing) transaction.run(statement)
  })
}
