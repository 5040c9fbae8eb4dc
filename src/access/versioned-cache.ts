/** Values read from the database and kept in memory for as long as the tables they came from stand unchanged. */
import type { Store } from '../store/store.ts'

/**
 * A number that differs whenever one of the tables has changed. Versions only grow, so their sum tells.
 */
export function momentOf(store: Store, tables: readonly string[]): number {
  let moment = 0
  for (const table of tables) moment += store.tableVersion(table)
  return moment
}

/**
 * Gives what `read` answers: at once when nothing has changed since, else after one read that all who ask
 * meanwhile share. The moment is taken before reading, so a change during the read is seen by the next to ask.
 */
export function cachedUntilChange<Value>(
  store: Store,
  tables: () => readonly string[],
  read: () => Promise<Value>,
): () => Value | Promise<Value> {
  let known: { readonly moment: number; readonly value: Value } | null = null
  let reading: { readonly moment: number; readonly value: Promise<Value> } | null = null
  return () => {
    const moment = momentOf(store, tables())
    if (known?.moment === moment) return known.value
    if (reading?.moment === moment) return reading.value
    const value = read().then(
      (answer) => {
        known = { moment, value: answer }
        return answer
      },
      (failure: unknown) => {
        reading = null
        throw failure
      },
    )
    reading = { moment, value }
    return value
  }
}
