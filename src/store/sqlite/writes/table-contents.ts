/**
 * What tables hold, as far as one connection that writes can tell: something to remember findings by, in place of the
 * content itself.
 */
import type { SqlValue } from '../../statement.ts'

export interface Contents {
  /** Stands for what a table holds now: the same object as long as that is the same. */
  of(table: string): object
  /** The table is about to hold something else. */
  changes(table: string): void
  /** What was written is not there after all. */
  forget(): void
  /** Compares what the connection calls the state of the database: others have written when it differs from the last. */
  expect(state: SqlValue | undefined): void
}

export function createContents(): Contents {
  const known = new Map<string, object>()
  let last: SqlValue | undefined
  return {
    of(table) {
      let content = known.get(table)
      if (!content) {
        content = {}
        known.set(table, content)
      }
      return content
    },
    changes: (table) => void known.delete(table),
    forget: () => known.clear(),
    expect(state) {
      if (state !== last) known.clear()
      last = state
    },
  }
}
