/** Each edge stores whether the row it starts at is published. */
import { compile } from '../compile.ts'
import { sql } from '../sql.ts'
import type { Transaction } from '../store.ts'
import { EDGES } from './layout.ts'

/** Updates the flags of a relation's edges after a bulk change of the rows of `table`, where the edges start. */
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
