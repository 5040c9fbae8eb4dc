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
      // A save that waits for it fails too; without one, the field itself shows the error.
      work.catch(() => {}).finally(() => pending.delete(work))
    },
    async finished() {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}
