/** A store that is listened to: for tests that hold what was asked against the engine's own plan. */
import type { Statement, Store } from '../../src/store/store.ts'

/** The same store, and every statement that is read through it. */
export function hearing(store: Store): { readonly store: Store; readonly asked: Statement[] } {
  const asked: Statement[] = []
  const read: Store['read'] = (statement, tables) => {
    asked.push(statement)
    return store.read(statement, tables)
  }
  return { store: { ...store, read }, asked }
}
