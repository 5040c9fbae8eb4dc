/**
 * The log that SQLite writes to first. A commit is in it at once; a thread of the pool then makes it durable, so that
 * the disk is waited for by those who write, and by nobody else. Commits that wait together become durable together.
 */
import { closeSync, fdatasync, openSync } from 'node:fs'
import type { DurabilityFailure } from './durability-failure.ts'
import { followLength, type LogLength } from './wal-length.ts'

export interface Log {
  readonly length: LogLength
  /** Resolves when everything that was committed before is on the disk; never again once that has failed. */
  durable(): Promise<void>
  close(): void
}

/** The log of an open database, to be emptied when it has so many pages. */
export function openLog(path: string, doubt: DurabilityFailure, pages: number): Log {
  const file = openSync(`${path}-wal`, 'r+')
  let running: Promise<void> | null = null
  let following: Promise<void> | null = null

  const sync = () =>
    new Promise<void>((resolve, reject) => {
      fdatasync(file, (error) => {
        if (error) doubt.fail(error)
        if (doubt.error) reject(doubt.error)
        else resolve()
      })
    })

  function durable(): Promise<void> {
    if (!running) {
      running = sync().finally(() => {
        running = null
      })
      return running
    }
    // What runs may have begun before the commit: the next one counts.
    following ??= running
      .catch(() => {})
      .then(() => {
        following = null
        return durable()
      })
    return following
  }

  return { length: followLength(file, pages), durable, close: () => closeSync(file) }
}
