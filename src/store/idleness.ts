/** Every other write waits for the one that is running: it may compute, but not dream. */
import { errors } from '../errors.ts'

export interface Idleness {
  /** Rejects when nothing has been sent for too long. */
  readonly exceeded: Promise<never>
  /** Something is under way that is no idleness. */
  pause(): void
  /** The patience begins anew. */
  start(): void
  stop(): void
}

/** Watches a write that has the connection for itself, with so many milliseconds of patience. */
export function watchIdleness(patience: number): Idleness {
  let giveUp = () => {}
  const exceeded = new Promise<never>((_, reject) => {
    giveUp = () => reject(errors.unavailable(1, 'The write took too long'))
  })
  let paused = false
  // One timer for all of a write, started anew: making one for each statement would cost as much as the statement.
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
    stop: () => clearTimeout(timer),
  }
}
