/** A store that is another one, but for what it does around its writes. */
import type { Store } from '../store/store.ts'

/** The store with another `write`. */
export const withWrite = (store: Store, write: Store['write']): Store => ({
  engine: store.engine,
  read: (statement, tables) => store.read(statement, tables),
  readRow: (statement, tables) => store.readRow(statement, tables),
  write,
  versionOf: (table) => store.versionOf(table),
  moment: () => store.moment(),
  arrived: () => store.arrived(),
  get doubt() {
    return store.doubt
  },
  get statements() {
    return store.statements
  },
  explain: (statement) => store.explain(statement),
  figures: () => store.figures(),
  close: () => store.close(),
  ...(store.positions && { positions: store.positions }),
})
