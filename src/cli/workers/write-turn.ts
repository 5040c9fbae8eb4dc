/** A worker's turn to write, asked for from the leading process. */
import { errors } from '../../errors.ts'
import type { WriteLock } from '../../store/sqlite/writes/write-lock.ts'

export interface AskedTurn extends WriteLock {
  /** To be called when the turn has come. */
  grant(): void
  /** To be called when nobody leads any more: from then on the lock of the file alone decides. */
  withoutLeader(): void
}

/** A turn that is waited for so many seconds. */
export function createTurn(say: (word: 'ask' | 'give') => void, seconds: number): AskedTurn {
  let asked = false
  let led = true
  let come: (() => void) | null = null

  const grant = () => {
    asked = false
    if (come) come()
    else say('give')
  }

  return {
    acquire() {
      if (!led) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          come = null
          reject(errors.unavailable(1, 'Other processes keep the database busy'))
        }, seconds * 1000)
        come = () => {
          come = null
          clearTimeout(timer)
          resolve()
        }
        if (asked) return
        asked = true
        say('ask')
      })
    },
    release() {
      if (led) say('give')
    },
    grant,
    withoutLeader() {
      led = false
      come?.()
    },
  }
}
