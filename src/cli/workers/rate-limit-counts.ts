/** What a worker counts for limits of requests, told to the others: together after each callback, not one by one. */
import type { SharedCounts } from '../../access/credentials/rate-limit.ts'

/** The name of a limit, a key in it, and by how much its count has changed. */
export type Count = readonly [limit: string, key: string, by: number]

export interface ToldCounts extends SharedCounts {
  /** To be called for what others have counted. */
  hear(counts: readonly Count[]): void
}

/** Counts that are told with `tell`. */
export function createCounts(tell: (counts: readonly Count[]) => void): ToldCounts {
  const limits = new Map<string, (key: string, by: number) => void>()
  let untold: Count[] = []
  const flush = () => {
    tell(untold)
    untold = []
  }
  return {
    join(limit, hear) {
      limits.set(limit, hear)
      return (key, by) => {
        if (untold.push([limit, key, by]) === 1) setImmediate(flush)
      }
    },
    hear(counts) {
      for (const [limit, key, by] of counts) limits.get(limit)?.(key, by)
    },
  }
}
