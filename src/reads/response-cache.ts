/**
 * Caches responses together with the versions of the tables they were read from. A write changes the versions of the
 * tables it touched before it is acknowledged, so a stale response is never returned.
 */
import { LRUCache } from 'lru-cache'
import type { Store } from '../store/store.ts'

/** The tables a result was read from, and their versions just before. */
export interface VersionStamp {
  readonly tables: readonly string[]
  readonly versions: string
}

/** The stamp of a read that is about to start. */
export const stampOf = (store: Store, tables: readonly string[]): VersionStamp => ({
  tables,
  versions: versionsOf(store, tables),
})

/** The stamp of what is read inside a transaction, before its writes have versions. */
export const UNCACHEABLE: VersionStamp = { tables: [], versions: 'uncacheable' }

const versionsOf = (store: Store, tables: readonly string[]) => {
  let versions = ''
  for (const table of tables) versions += `${store.tableVersion(table)} `
  return versions
}

export interface ResponseCache<Response> {
  /** The cached response, or null when there is none or its tables have changed. */
  get(key: string): Response | null
  /** `bytes` is the memory that the response takes; the cache adds that of the key and the entry. */
  set(key: string, response: Response, bytes: number, stamp: VersionStamp): void
  /** Empties the cache for good. */
  close(): void
}

interface Entry<Response> {
  readonly response: Response
  readonly stamp: VersionStamp
  /** The last global version at which the table versions were unchanged. */
  checkedAt: number | null
}

/** Memory of an entry besides key and response: its objects, the stamp, and its place in the LRU list. */
const ENTRY_BYTES = 500

/** Holds at most `maxBytes`; the least recently used responses are evicted first. */
export function createResponseCache<Response extends object>(
  store: Store,
  maxBytes: number,
): ResponseCache<Response> {
  const entries = new LRUCache<string, Entry<Response>>({ maxSize: maxBytes })
  let isClosed = false
  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return null
      const globalVersion = store.globalVersion()
      if (entry.checkedAt === globalVersion) return entry.response
      if (entry.stamp.versions !== versionsOf(store, entry.stamp.tables)) {
        entries.delete(key)
        return null
      }
      entry.checkedAt = globalVersion
      return entry.response
    },
    set(key, response, bytes, stamp) {
      if (isClosed) return
      const size = bytes + key.length * 2 + ENTRY_BYTES
      entries.set(key, { response, stamp, checkedAt: null }, { size })
    },
    close() {
      isClosed = true
      entries.clear()
    },
  }
}
