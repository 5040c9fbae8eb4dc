/**
 * The versions of tables. They are stored in the database itself, so that this process notices the writes of every
 * other one. `PRAGMA data_version` says whether there was any; it takes 5 µs, a fifth of a cached response, so its
 * result is reused for as long as it is certainly right.
 */
import type { DatabaseSync } from 'node:sqlite'
import { plainRow } from './rows.ts'
import { createTurnSnapshot } from './turn-snapshot.ts'

export interface TableVersions {
  tableVersion(table: string): number
  globalVersion(): number
  /** Called for each request: all requests that are read in one turn of the event loop share one check and one snapshot. */
  requestArrived(): void
  /** Whether several requests were read from the network in this turn of the event loop. */
  hasSeveralRequests(): boolean
  /** The next question checks again, and the next read sees the latest content: this process has written. */
  invalidate(): void
}

export function followVersions(database: DatabaseSync): TableVersions {
  const dataVersion = database.prepare('PRAGMA data_version')
  dataVersion.setReturnArrays(true)
  const changes = database.prepare(
    'SELECT name, version FROM octavo_versions WHERE version > ? ORDER BY version',
  )
  const snapshot = createTurnSnapshot(database)
  const versions = new Map<string, number>()
  let lastDataVersion: unknown
  let latest = -1
  let isFresh = false
  /** The requests that were read from the network in this turn of the event loop. */
  let requests = 0

  const invalidate = () => {
    isFresh = false
    snapshot.close()
  }

  function refresh() {
    if (requests > 0) snapshot.open()
    const current = plainRow(dataVersion.get())?.[0]
    if (current !== lastDataVersion) {
      for (const { name, version } of changes.all(latest)) {
        latest = Number(version)
        versions.set(String(name), latest)
      }
      lastDataVersion = current
    }
    isFresh = true
    if (requests === 0) afterCallback(invalidate)
  }

  return {
    tableVersion(table) {
      if (!isFresh) refresh()
      return versions.get(table) ?? 0
    },
    globalVersion() {
      if (!isFresh) refresh()
      return latest
    },
    requestArrived() {
      if (requests++ > 0) return
      isFresh = false
      // Runs after everything that could be read from the network in this turn.
      setImmediate(() => {
        requests = 0
        invalidate()
      })
    },
    hasSeveralRequests: () => requests > 1,
    invalidate,
  }
}

/** Runs `work` after the current callback of the event loop, and all the ticks and promises that it has started. */
function afterCallback(work: () => void): void {
  // Node alternates between ticks and promises until both queues are empty; this last tick comes after every promise.
  process.nextTick(() => queueMicrotask(() => process.nextTick(work)))
}
