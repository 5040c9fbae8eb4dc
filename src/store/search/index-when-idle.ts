/**
 * Adds changed rows to their search indexes when no write has come for some time. Otherwise every search would compare the
 * rows that wait for more of them, up to hundreds, until the next write.
 */

const DELAY = 1_000

export interface IdleIndexing {
  noteWrite(): void
  close(): Promise<void>
}

/**
 * `indexPending` adds the rows that wait to their indexes, in steps, until it is done or the server closes. It is called when
 * there was no write for `delay` milliseconds.
 */
export function indexWhenIdle(
  indexPending: (isClosed: () => boolean) => Promise<void>,
  delay = DELAY,
): IdleIndexing {
  let indexing: Promise<void> | null = null
  let isClosed = false

  // Failures are ignored: only speed depends on this, and the next write tries again.
  async function indexAll() {
    try {
      await indexPending(() => isClosed)
    } catch {
    } finally {
      indexing = null
    }
  }

  // A server may have ended before it was idle.
  const timer = setTimeout(() => {
    indexing ??= indexAll()
  }, delay).unref()
  return {
    noteWrite() {
      if (!isClosed) timer.refresh()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await indexing
    },
  }
}
