/** Caches values read from the database until one of their tables changes: a warm request reads no credential. */
import type { MaybePromise } from '../store/maybe-promise.ts'
import type { Store } from '../store/store.ts'

/** Changes whenever one of the tables changes, because versions only grow. */
export function sumOfVersions(store: Store, tables: readonly string[]): number {
  let sum = 0
  for (const table of tables) sum += store.tableVersion(table)
  return sum
}

/**
 * The result of `read`, without a promise while the tables are unchanged. Concurrent callers share one read. Versions are
 * taken before reading, so a change during the read invalidates its result.
 */
export function cachedUntilChange<Value>(
  store: Store,
  tables: () => readonly string[],
  read: () => Promise<Value>,
): () => MaybePromise<Value> {
  let cached: { readonly versions: number; readonly value: Value } | null = null
  let pending: { readonly versions: number; readonly value: Promise<Value> } | null = null
  return () => {
    const versions = sumOfVersions(store, tables())
    if (cached?.versions === versions) return cached.value
    if (pending?.versions === versions) return pending.value
    const value = read().then(
      (result) => {
        cached = { versions, value: result }
        return result
      },
      (failure: unknown) => {
        pending = null
        throw failure
      },
    )
    pending = { versions, value }
    return value
  }
}
