/** A store that delegates everything to another one except `write`. */
import type { Store } from '../store/store.ts'

export const withWrite = (store: Store, write: Store['write']): Store => ({
  dialect: store.dialect,
  read: store.read,
  readFirstRow: store.readFirstRow,
  snapshot: store.snapshot,
  write,
  tableVersion: store.tableVersion,
  globalVersion: store.globalVersion,
  requestArrived: store.requestArrived,
  ...(store.schemaChanged && { schemaChanged: store.schemaChanged }),
  get durabilityFailure() {
    return store.durabilityFailure
  },
  get statements() {
    return store.statements
  },
  explain: store.explain,
  createIndex: store.createIndex,
  dropIndex: store.dropIndex,
  metrics: store.metrics,
  close: store.close,
  ...(store.positions && { positions: store.positions }),
})
