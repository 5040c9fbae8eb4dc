/**
 * The write-ahead log (WAL) of the database. A commit writes to it without waiting for the disk; a thread of Node's
 * pool then syncs the file, so that only writes wait for the disk. Commits that wait together are synced together.
 */
import { closeSync, fdatasync, openSync } from 'node:fs'
import type { DurabilityFailure } from './durability-failure.ts'
import { followWalLength, type WalLength } from './wal-length.ts'

export interface Wal {
  readonly length: WalLength
  /** Resolves when everything committed before the call is on disk; always rejects once a sync has failed. */
  sync(): Promise<void>
  close(): void
}

/** Opens the log of an open database; from `maxPages` pages on it counts as long. */
export function openWal(path: string, durability: DurabilityFailure, maxPages: number): Wal {
  const file = openSync(`${path}-wal`, 'r+')
  let running: Promise<void> | null = null
  let following: Promise<void> | null = null

  const syncFile = () =>
    new Promise<void>((resolve, reject) => {
      fdatasync(file, (error) => {
        if (error) durability.fail(error)
        if (durability.error) reject(durability.error)
        else resolve()
      })
    })

  function sync(): Promise<void> {
    if (!running) {
      running = syncFile().finally(() => {
        running = null
      })
      return running
    }
    // The running sync may have started before the commit, so the next one counts.
    following ??= running
      .catch(() => {})
      .then(() => {
        following = null
        return sync()
      })
    return following
  }

  return { length: followWalLength(file, maxPages), sync, close: () => closeSync(file) }
}
