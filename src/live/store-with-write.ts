/** A store that delegates everything to another one except `write`. */
import type { Store } from '../store/store.ts'

export const withWrite = (store: Store, write: Store['write']): Store => ({
  dialect: store.dialect,
  read: (statement, tables) => store.read(statement, tables),
  readFirstRow: (statement, tables) => store.readFirstRow(statement, tables),
  snapshot: (work) => store.snapshot(work),
  write,
  tableVersion: (table) => store.tableVersion(table),
  globalVersion: () => store.globalVersion(),
  requestArrived: () => store.requestArrived(),
  get durabilityFailure() {
    return store.durabilityFailure
  },
  get statements() {
    return store.statements
  },
  explain: (statement) => store.explain(statement),
  metrics: () => store.metrics(),
  close: () => store.close(),
  ...(store.positions && { positions: store.positions }),
})
