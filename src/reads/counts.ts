/** The totals of lists: those that are known, and those that are being counted. */
import { createSizedCache } from '../sized-cache.ts'
import type { MaybePromise } from '../store/maybe-promise.ts'

export interface Counts {
  /**
   * The total of a list at these versions of its tables: known, or being counted by another read of the same caller. Null
   * when it has to be counted; a promise of null when the other read has failed.
   */
  find(key: string, versions: string, caller: () => string): number | Promise<number | null> | null
  /** Keeps the total of a list that is being read. */
  keep(key: string, versions: string, caller: () => string, list: MaybePromise<Counted>): void
}

interface Counted {
  readonly total: number | null
}

interface Pending {
  readonly versions: string
  readonly total: Promise<number | null>
}

const MAX_BYTES = 4_194_304

export function createCounts(): Counts {
  const known = createSizedCache<{ readonly versions: string; readonly total: number }>({
    maxBytes: MAX_BYTES,
    bytesOf: ({ versions }) => versions.length,
  })
  // Callers do not wait for each other, because each has its own share of the database, and may have used it up.
  const pending = new Map<string, Pending>()
  const pendingKey = (key: string, caller: string) => `${caller}\n${key}`

  const set = (key: string, versions: string, { total }: Counted) => {
    if (total !== null) known.set(key, { versions, total })
    return total
  }

  return {
    find(key, versions, caller) {
      const found = known.get(key)
      if (found?.versions === versions) return found.total
      if (pending.size === 0) return null
      const other = pending.get(pendingKey(key, caller()))
      return other?.versions === versions ? other.total : null
    },

    keep(key, versions, caller, list) {
      if (!(list instanceof Promise)) {
        set(key, versions, list)
        return
      }
      const under = pendingKey(key, caller())
      const total = list
        .then(
          (counted) => set(key, versions, counted),
          () => null,
        )
        .finally(() => {
          if (pending.get(under)?.total === total) pending.delete(under)
        })
      pending.set(under, { versions, total })
    },
  }
}
