/** Turns to write: one after the other in this process, each within a turn among processes when there are several. */
import { errors } from '../../../errors.ts'

export interface Turn {
  /** Resolves when it is ours to write; refuses when the turn does not come. */
  take(): Promise<void>
  give(): void
}

/**
 * Turns for everything in this process that writes, in the order in which they are asked for; waited for so many
 * milliseconds, since what has the turn may be a migration.
 */
export function createTurns(among: Turn | null, patience: number): Turn {
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
    async take() {
      if (taken) await inLine()
      taken = true
      try {
        await among?.take()
      } catch (error) {
        pass()
        throw error
      }
    },
    give() {
      among?.give()
      pass()
    },
  }
}
