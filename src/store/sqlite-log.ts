/**
 * The log that SQLite writes to first. A commit is in it at once; a thread of the pool then makes it durable, so that
 * the disk is waited for by those who write, and by nobody else. Commits that wait together become durable together.
 */
import { closeSync, fdatasync, openSync } from 'node:fs'
import { errors } from '../errors.ts'

export interface Log {
  /** Resolves when everything that was committed before is on the disk. */
  durable(): Promise<void>
  close(): void
}

/** The log of an open database. */
export function openLog(path: string): Log {
  const file = openSync(`${path}-wal`, 'r+')
  let running: Promise<void> | null = null
  let following: Promise<void> | null = null

  const sync = () =>
    new Promise<void>((resolve, reject) => {
      fdatasync(file, (error) => {
        if (!error) return resolve()
        const failure = errors.unavailable(30, 'The disk of the database fails')
        failure.cause = error
        reject(failure)
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

  return { durable, close: () => closeSync(file) }
}
