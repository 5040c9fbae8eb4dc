/**
 * Writes that were prepared for one model must not reach tables made for another. Each such write starts with a check
 * that fails when the model has changed, and a migration waits until the writes in progress have ended.
 */
import { compile } from '../compile.ts'
import type { Transaction } from '../store.ts'

/** Makes the transaction fail with SchemaChanged if the database has another schema version. */
export const checkSchemaVersion = (transaction: Transaction, version: number): void =>
  transaction.run(transaction.dialect.checkSchemaVersion(version))

/** Waits for the writes in progress and blocks new ones until the migration has ended. */
export function blockWriters(transaction: Transaction): void {
  const { dialect } = transaction
  for (const query of dialect.blockWriters) transaction.run(compile(dialect, query))
}
