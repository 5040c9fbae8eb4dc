/** Caches of the most recently used entries, for many entries that most servers never have. */
import { LRUCache } from 'lru-cache'

/**
 * A cache of at most `max` entries that takes memory only for those it has. With lru-cache's own `max`, memory for all
 * entries is reserved from the start: for the caches of `access` this took a tenth of the processor time of a server's start.
 */
export const createGrowingCache = <Value extends object>(max: number): LRUCache<string, Value> =>
  new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
