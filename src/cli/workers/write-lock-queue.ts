/** A lock with one holder at a time, granted in the order of requests. */

export interface LockQueue<Holder> {
  /** Queues a request; `grant` is called when the lock is free. A second request before that has no effect. */
  request(holder: Holder): void
  /** Releases the lock; ignored unless called for its holder. */
  release(holder: Holder): void
  /** Removes a holder that no longer exists, from the queue and from the lock. */
  remove(holder: Holder): void
}

export function createLockQueue<Holder>(grant: (holder: Holder) => void): LockQueue<Holder> {
  const waiting = new Set<Holder>()
  let current: { readonly holder: Holder } | null = null

  function grantNext() {
    if (current) return
    const [holder] = waiting
    if (holder === undefined) return
    waiting.delete(holder)
    current = { holder }
    grant(holder)
  }

  function release(holder: Holder) {
    if (current?.holder !== holder) return
    current = null
    grantNext()
  }

  return {
    request(holder) {
      waiting.add(holder)
      grantNext()
    },
    release,
    remove(holder) {
      waiting.delete(holder)
      release(holder)
    },
  }
}
