/**
 * One snapshot of the database for all reads of a turn of the event loop. A read outside of a transaction locks the file and
 * unlocks it again, which is a fifth of the time that SQLite takes to find one document.
 */
import type { DatabaseSync } from 'node:sqlite'

export interface TurnSnapshot {
  /** Reads see the content as of the first one from now on. Does nothing while it is open. */
  open(): void
  /** Reads see the latest content again. */
  close(): void
}

/** The snapshot of a connection that only reads. */
export function createTurnSnapshot(database: DatabaseSync): TurnSnapshot {
  const begin = database.prepare('BEGIN')
  const commit = database.prepare('COMMIT')
  let isOpen = false
  return {
    open() {
      if (isOpen) return
      begin.run()
      isOpen = true
    },
    close() {
      if (!isOpen) return
      isOpen = false
      // SQLite itself ends the transaction after some failures, such as one of the disk.
      if (database.isOpen && database.isTransaction) commit.run()
    },
  }
}
