/**
 * Writes that were prepared for one model must not reach tables made for another. Each such write starts with a check
 * that fails when the model has changed, and a migration waits until the writes in progress have ended.
 */
import { compile } from '../compile.ts'
import type { Transaction } from '../store.ts'

/** Makes the transaction fail with SchemaChanged unless the database has the model of this number. */
export const checkSchemaVersion = (transaction: Transaction, number: number): void =>
  transaction.runOnce(transaction.dialect.checkSchemaVersion(number))

/** Waits for the writes in progress and blocks new ones until the migration has ended. */
export function blockWriters(transaction: Transaction): void {
  const { dialect } = transaction
  for (const query of dialect.blockWriters) transaction.run(compile(dialect, query))
}
