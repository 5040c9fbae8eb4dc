/** Turns to write: one after the other in this process, each within a turn among processes when there are several. */
import { errors } from '../../../errors.ts'

export interface WriteLock {
  /** Resolves when it is ours to write; refuses when the turn does not come. */
  acquire(): Promise<void>
  release(): void
}

/**
 * Turns for everything in this process that writes, in the order in which they are asked for; waited for so many
 * milliseconds, since what has the turn may be a migration.
 */
export function createWriteLock(among: WriteLock | null, patience: number): WriteLock {
  const waiting: (() => void)[] = []
  let taken = false

  const inLine = () =>
    new Promise<void>((resolve, reject) => {
      const come = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(come), 1)
        reject(errors.unavailable(1, 'The database is busy with something that takes long'))
      }, patience)
      waiting.push(come)
    })

  function pass() {
    const next = waiting.shift()
    if (next) next()
    else taken = false
  }

  return {
    async acquire() {
      if (taken) await inLine()
      taken = true
      try {
        await among?.acquire()
      } catch (error) {
        pass()
        throw error
      }
    },
    release() {
      among?.release()
      pass()
    },
  }
}
