/** What must end before a form is saved, such as an upload whose file becomes a value. */

export interface PendingWork {
  /** Adds work that may fail: saving then fails with its error. */
  add(work: Promise<void>): void
  /** Resolves when nothing is pending. Fails with the first error of what was. */
  finished(): Promise<void>
}

export function createPendingWork(): PendingWork {
  const pending = new Set<Promise<void>>()
  return {
    add(work) {
      pending.add(work)
      // Whoever saves meanwhile is told; without a save, the field itself shows what failed.
      work.catch(() => {}).finally(() => pending.delete(work))
    },
    async finished() {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}
