/**
 * Every other write waits for the one that has the connection. It may work for as long as it needs; one that sends nothing
 * for too long, because its code waits for something else, is given up.
 */
import { errors } from '../../../errors.ts'

export interface Idleness {
  /** Rejects when nothing has been sent for too long. */
  readonly exceeded: Promise<never>
  /** Something is under way that is no idleness. */
  pause(): void
  /** The patience begins anew. */
  start(): void
  isExceeded(): boolean
  stop(): void
}

/** Watches writes that have the connection for themselves one after the other, with so many milliseconds of patience. */
export function watchIdleness(patience: number): Idleness {
  let giveUp = () => {}
  let isExceeded = false
  const exceeded = new Promise<never>((_, reject) => {
    giveUp = () => {
      isExceeded = true
      reject(errors.unavailable(1, 'The write took too long'))
    }
  })
  let paused = false
  // One timer for all, started anew: making one for each statement would cost as much as the statement.
  const timer = setTimeout(() => {
    if (paused) timer.refresh()
    else giveUp()
  }, patience)
  return {
    exceeded,
    pause() {
      paused = true
    },
    start() {
      paused = false
      timer.refresh()
    },
    isExceeded: () => isExceeded,
    stop: () => clearTimeout(timer),
  }
}
