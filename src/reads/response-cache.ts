/**
 * Answers that are kept for as long as they are right: each with the versions of the tables it was read from. A write
 * bumps the versions of what it touched before it is acknowledged, so nothing stale is ever given out.
 */
import { LRUCache } from 'lru-cache'
import type { Store } from '../store/store.ts'

/** The tables behind an answer and their versions just before it was read. */
export interface Stamp {
  readonly tables: readonly string[]
  readonly versions: string
}

export interface Answers<Answer> {
  /** The answer kept under a key, if it is still right. */
  get(key: string): Answer | null
  put(key: string, answer: Answer, bytes: number, stamp: Stamp): void
}

/** The stamp of something that is about to be read from these tables. */
export const stampOf = (store: Store, tables: readonly string[]): Stamp => ({
  tables,
  versions: versionsOf(store, tables),
})

const versionsOf = (store: Store, tables: readonly string[]) => {
  let versions = ''
  for (const table of tables) versions += `${store.tableVersion(table)} `
  return versions
}

interface Entry<Answer> {
  readonly answer: Answer
  readonly stamp: Stamp
  /** The last moment at which all versions were seen to stand. */
  rightAt: number | null
}

/** What an entry takes beside its body: the key, the stamp, the objects around them. */
const OVERHEAD = 500

/** Keeps answers up to a number of bytes; those asked for least recently go first. */
export function createAnswers<Answer extends object>(store: Store, maxBytes: number): Answers<Answer> {
  const kept = new LRUCache<string, Entry<Answer>>({ maxSize: maxBytes })
  return {
    get(key) {
      const entry = kept.get(key)
      if (!entry) return null
      const moment = store.globalVersion()
      if (entry.rightAt === moment) return entry.answer
      if (entry.stamp.versions !== versionsOf(store, entry.stamp.tables)) {
        kept.delete(key)
        return null
      }
      entry.rightAt = moment
      return entry.answer
    },
    put(key, answer, bytes, stamp) {
      kept.set(key, { answer, stamp, rightAt: null }, { size: bytes + OVERHEAD + key.length * 2 })
    },
  }
}
