/** The lock for writes: one at a time in this process, and among the processes of a server if there are several. */
import { errors } from '../../../errors.ts'

export interface WriteLock {
  /** Rejects when the lock does not become free in time. */
  acquire(): Promise<void>
  release(): void
}

/**
 * A lock for everything in this process that writes, acquired in the order of the calls. `shared` is the lock among
 * processes. The wait is limited, since a migration may hold the lock.
 */
export function createWriteLock(shared: WriteLock | null, timeout: number): WriteLock {
  const waiting: (() => void)[] = []
  let isTaken = false

  const waitInLine = () =>
    new Promise<void>((resolve, reject) => {
      const acquired = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(acquired), 1)
        reject(errors.unavailable(1, 'The database is busy with a long write'))
      }, timeout)
      waiting.push(acquired)
    })

  function passOn() {
    const next = waiting.shift()
    if (next) next()
    else isTaken = false
  }

  return {
    async acquire() {
      if (isTaken) await waitInLine()
      isTaken = true
      try {
        await shared?.acquire()
      } catch (error) {
        passOn()
        throw error
      }
    },
    release() {
      shared?.release()
      passOn()
    },
  }
}
