/**
 * Commits whose outcome is unknown, because the connection was lost before the server responded. One that waits for a
 * standby may become visible long after that, at an unknown time; but it has ended once every transaction has ended that was in
 * progress when the connection was lost.
 */
export interface UnsettledCommits {
  /** Called when a commit may have been in progress on a connection that was lost. */
  add(): void
  /** Whether the next check needs a transaction that is newer than all in progress. */
  needsNewest(): boolean
  /** Returns whether one of them may have become visible since the last check. No transaction before `oldest` is in progress. */
  mayHaveEnded(oldest: bigint, newest: bigint | null): boolean
  /** Called when the primary may be another server, which counts its transactions anew. */
  primaryChanged(): void
}

export function createUnsettledCommits(): UnsettledCommits {
  /** A transaction that is newer than all of them, or `unknown` until the server has responded; null if all have ended. */
  let end: bigint | 'unknown' | null = null
  return {
    add() {
      end = 'unknown'
    },
    needsNewest: () => end === 'unknown',
    mayHaveEnded(oldest, newest) {
      if (end === null) return false
      if (end === 'unknown') end = newest ?? end
      if (end !== 'unknown' && oldest >= end) end = null
      return true
    },
    primaryChanged() {
      if (end !== null) end = 'unknown'
    },
  }
}
