/** Records the statements that a store reads, for tests that inspect the engine's query plan. */
import type { Statement } from '../../src/store/statement.ts'
import type { Store } from '../../src/store/store.ts'

/** Wraps a store; `statements` receives every statement that is read through the wrapper. */
export function recordStatements(store: Store): { readonly store: Store; readonly statements: Statement[] } {
  const statements: Statement[] = []
  const read: Store['read'] = (statement, tables) => {
    statements.push(statement)
    return store.read(statement, tables)
  }
  return { store: { ...store, read }, statements }
}
