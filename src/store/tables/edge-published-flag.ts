/** Edges know whether the row they start at is a published one; what changes rows in bulk tells them here. */
import { compile } from '../compile.ts'
import { sql } from '../sql.ts'
import type { Transaction } from '../store.ts'
import { EDGES } from './layout.ts'

/** Makes the edges of a relation agree with the rows of the table that they start at. */
export function updatePublishedFlags(transaction: Transaction, relation: number, table: string): void {
  const rows = sql`SELECT id FROM ${sql.table(table)}`
  for (const published of [0, 1])
    transaction.run(
      compile(
        transaction.dialect,
        sql`UPDATE ${sql.table(EDGES)} SET published = ${sql.lit(published)} WHERE relation = ${relation}
          AND published = ${sql.lit(1 - published)} AND source IN (${rows} WHERE published = ${sql.lit(published)})`,
      ),
    )
}
