/**
 * Commits whose outcome is unknown, because the connection was lost before the server responded. One that waits for a
 * standby may become visible long after that, so nobody knows its time; but it is over with the last transaction that was in
 * progress when the connection was lost.
 */
export interface UnsettledCommits {
  /** Called when a commit may have been in progress on a connection that was lost. */
  add(): void
  /**
   * Returns whether one of them may have become visible since the last call. `oldest` is the oldest transaction in progress
   * that writes, and `next` the next one to begin.
   */
  mayHaveEnded(oldest: bigint, next: bigint): boolean
  /** Called when the primary may be another server, which counts its transactions anew. */
  primaryChanged(): void
}

export function createUnsettledCommits(): UnsettledCommits {
  /** A transaction that began after all of them, or `unknown` until the server has told; null if all have ended. */
  let end: bigint | 'unknown' | null = null
  return {
    add() {
      end = 'unknown'
    },
    mayHaveEnded(oldest, next) {
      if (end === null) return false
      if (end === 'unknown') end = next
      if (oldest >= end) end = null
      return true
    },
    primaryChanged() {
      if (end !== null) end = 'unknown'
    },
  }
}
