/** Statistics of reads: cache hits, durations and slow reads. They continue when the model changes. */
import type { ContentType } from '../model/model.ts'
import type { ParamObject } from '../query/params.ts'
import type { Statement } from '../store/statement.ts'
import type { UsageCollector } from './indexes/read-usage.ts'

export interface CacheStats {
  hits: number
  misses: number
}

export interface SlowRead {
  readonly type: ContentType
  /** The requested document; null for lists and single types. */
  readonly id: string | null
  readonly query: ParamObject
  readonly statement: Statement
  readonly milliseconds: number
}

export interface ReadStats {
  /** Queries that were checked before. */
  readonly urls: CacheStats
  /** Compiled statements. */
  readonly plans: CacheStats
  readonly counts: CacheStats
  readonly responses: CacheStats
  /** Called with the milliseconds that each read spent in the database, including waiting for it. */
  onDuration: (milliseconds: number) => void
  /** From how many milliseconds on a read is slow. */
  readonly slowMs: number
  readonly onSlow: (read: SlowRead) => void
  /** Counts reads to find indexes that would help; null when that is disabled. */
  readonly usage: UsageCollector | null
}

const newCacheStats = (): CacheStats => ({ hits: 0, misses: 0 })

/** By default no read is slow. */
export const createReadStats = (
  slowMs = Infinity,
  onSlow: (read: SlowRead) => void = () => {},
  usage: UsageCollector | null = null,
): ReadStats => ({
  urls: newCacheStats(),
  plans: newCacheStats(),
  counts: newCacheStats(),
  responses: newCacheStats(),
  onDuration: () => {},
  slowMs,
  onSlow,
  usage,
})
