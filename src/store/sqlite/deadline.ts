/**
 * The time limit of the statements of a connection. On the main thread it limits the time that a statement really runs:
 * on a busy machine a fast read may wait for a processor longer than it runs, and would be taken for a slow one.
 */

export interface Deadline {
  /** The next statement may run for so many milliseconds from `start`, the time of `performance.now`. */
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
  let at = Infinity
  /** The time at which the statement is stopped even if it has hardly run, and the milliseconds that it may still run. */
  let last = Infinity
  let left = 0
  /** What `runningTime` was when the first half of the time was over. Before that, no time is spent on measuring it. */
  let measuredFrom = -1

  function canRunOn(now: number): boolean {
    if (now >= last) return false
    const ran = runningTime()
    if (measuredFrom < 0) measuredFrom = ran
    const rest = left - (ran - measuredFrom) / 1000
    if (rest <= 0) return false
    at = now + rest
    return true
  }

  return {
    set(start, milliseconds, isRunningTime) {
      left = isRunningTime ? milliseconds / 2 : 0
      at = start + milliseconds - left
      last = isRunningTime ? start + milliseconds / LEAST_PROCESSOR_SHARE : at
      measuredFrom = -1
    },
    clear() {
      at = Infinity
    },
    isOver() {
      const now = performance.now()
      return now > at && !canRunOn(now)
    },
  }
}
