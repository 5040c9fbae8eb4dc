/**
 * The time limit of the statements of a connection. On the main thread it limits the time that a statement really runs:
 * on a busy machine a fast read may wait for a processor longer than it runs, and would be taken for a slow one.
 */

export interface Deadline {
  /** The next statement may run for `milliseconds` from `start`, the time of `performance.now`. */
  set(start: number, milliseconds: number, isRunningTime: boolean): void
  clear(): void
  /** Whether the statement has run for too long. */
  isOver(): boolean
}

/** A thread that gets less than this part of a processor waits for the disk: its statement is slow. */
const LEAST_PROCESSOR_SHARE = 1 / 5

/** The microseconds for which this thread has run. */
export function runningTime(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** The microseconds that count as the duration of a read, from those that it ran and those that passed. */
export const countedTime = (ran: number, passed: number): number =>
  Math.min(passed, Math.max(ran, passed * LEAST_PROCESSOR_SHARE))

export function createDeadline(): Deadline {
  // Numbers in an object are changed in place; as variables of a closure, each would be allocated anew for every read.
  const limit = {
    /** The time at which `isOver` is decided; of a running time, when its first half has passed. */
    at: Number.POSITIVE_INFINITY,
    start: 0.5,
    /** The milliseconds that a statement may run, or 0 when the passed time counts. */
    runningTime: 0.5,
    /** What `runningTime()` was when it was first measured, for the statement that started at `measuredStart`. */
    measured: 0.5,
    measuredStart: 0.5,
  }

  function canRunOn(now: number): boolean {
    if (now >= limit.start + limit.runningTime / LEAST_PROCESSOR_SHARE) return false
    const ran = runningTime()
    if (limit.measuredStart !== limit.start) {
      limit.measured = ran
      limit.measuredStart = limit.start
    }
    const left = limit.runningTime / 2 - (ran - limit.measured) / 1000
    if (left <= 0) return false
    limit.at = now + left
    return true
  }

  return {
    set(start, milliseconds, isRunningTime) {
      limit.start = start
      limit.runningTime = isRunningTime ? milliseconds : 0
      limit.at = start + (isRunningTime ? milliseconds / 2 : milliseconds)
    },
    clear() {
      limit.at = Number.POSITIVE_INFINITY
    },
    isOver() {
      const now = performance.now()
      return now > limit.at && !canRunOn(now)
    },
  }
}
