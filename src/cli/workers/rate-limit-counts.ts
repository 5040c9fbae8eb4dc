/** Shares the rate limit counts of a worker with the other workers, batched once per event loop turn. */
import type { SharedCounts } from '../../access/credentials/rate-limit.ts'

/** The name of a limit, a key in it, and the change of its count. */
export type Count = readonly [limit: string, key: string, by: number]

export interface ExchangedCounts extends SharedCounts {
  /** Applies the counts of other workers. */
  apply(counts: readonly Count[]): void
}

export function createExchangedCounts(publish: (counts: readonly Count[]) => void): ExchangedCounts {
  const limits = new Map<string, (key: string, by: number) => void>()
  let unpublished: Count[] = []
  const flush = () => {
    publish(unpublished)
    unpublished = []
  }
  return {
    connect(limit, onCount) {
      limits.set(limit, onCount)
      return (key, by) => {
        if (unpublished.push([limit, key, by]) === 1) setImmediate(flush)
      }
    },
    apply(counts) {
      for (const [limit, key, by] of counts) limits.get(limit)?.(key, by)
    },
  }
}
