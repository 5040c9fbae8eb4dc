/**
 * Limits how long a write may leave the connection idle, because all other writes wait for it. A write may work for as
 * long as it needs; one that sends nothing for too long, because its code waits for something else, is aborted.
 */
import { errors } from '../../../errors.ts'

export interface IdleTimeout {
  /** Rejects when nothing has been sent for too long. */
  readonly exceeded: Promise<never>
  /** The connection is working. */
  pause(): void
  /** The connection is idle from now on. */
  start(): void
  isExceeded(): boolean
  stop(): void
}

/** Watches the writes that use the connection one after the other. */
export function watchIdleTime(milliseconds: number): IdleTimeout {
  let abort = () => {}
  let isExceeded = false
  const exceeded = new Promise<never>((_, reject) => {
    abort = () => {
      isExceeded = true
      reject(errors.unavailable(1, 'The write took too long'))
    }
  })
  let isPaused = false
  // One timer for all statements: a new one for each would take as long as the statement.
  const timer = setTimeout(() => {
    if (isPaused) timer.refresh()
    else abort()
  }, milliseconds)
  return {
    exceeded,
    pause() {
      isPaused = true
    },
    start() {
      isPaused = false
      timer.refresh()
    },
    isExceeded: () => isExceeded,
    stop: () => clearTimeout(timer),
  }
}
