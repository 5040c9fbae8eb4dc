/** Caches that are bounded by the memory of their entries, because clients choose how many keys there are and how long they are. */
import { LRUCache } from 'lru-cache'

export interface SizedCacheOptions<Value> {
  readonly maxBytes: number
  /** The memory that a value takes; the cache adds that of the key and of the entry. */
  readonly bytesOf: (value: Value) => number
  /** Called with each entry that leaves the cache. */
  readonly onRemove?: (value: Value, key: string) => void
}

/** Memory of an entry besides its key and its value: its places in the map and in the list of the cache. */
const ENTRY_BYTES = 200
/** No entry can take more than this part of a cache, so that one of them does not evict all others. */
const MAX_PART = 1 / 8

/** A cache of the most recently used entries that takes about `maxBytes` at most. Entries that are too large are not stored. */
export const createSizedCache = <Value extends object>({
  maxBytes,
  bytesOf,
  onRemove,
}: SizedCacheOptions<Value>): LRUCache<string, Value> =>
  new LRUCache({
    maxSize: maxBytes,
    maxEntrySize: maxBytes * MAX_PART,
    // A character takes one byte, or two if one of the string is beyond Latin-1.
    sizeCalculation: (value, key) => Math.ceil(ENTRY_BYTES + key.length * 2 + bytesOf(value)),
    ...(onRemove && { dispose: onRemove }),
  })
