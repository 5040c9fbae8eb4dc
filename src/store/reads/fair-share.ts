/**
 * Shares a number of slots between callers. One caller gets only a part of them, so that a slot is left for others. The
 * next free slot goes to the waiting caller whose tasks have taken the least time recently: a caller with an occasional
 * slow read does not wait for callers who send one after the other.
 */
import { type ApiError, errors } from '../../errors.ts'
import type { ReadLimits } from './read-limits.ts'
import { createRecentUsage } from './recent-usage.ts'

export interface FairShareOptions {
  /** The number of slots. One caller can have half of them. */
  readonly size: number
  /** How many tasks may run or wait, and how many milliseconds a task waits. */
  readonly maxWaiting: number
  readonly waitTimeout: number
  /** What the tasks are, for messages. */
  readonly name?: string
}

export interface FairShare {
  /**
   * Runs a task as soon as its caller has a slot. Rejects with a 503 when the task would wait for too long, or too many
   * are waiting; one caller can fill only half of the places. A task whose client has disconnected is not run.
   */
  run<Result>(on: Pick<ReadLimits, 'caller' | 'isDisconnected'>, task: () => Promise<Result>): Promise<Result>
  /** The number of tasks that run or wait. */
  readonly open: number
  /** The number of tasks that were rejected. */
  readonly rejected: number
}

interface Share {
  running: number
  readonly waiting: { readonly start: () => void }[]
}

const HALF_LIFE = 10_000
/** Every task counts as at least one millisecond, so that callers with very short tasks take turns too. */
const LEAST_TIME = 1

/** The response to a client that no longer receives it. */
const disconnected = () => errors.unavailable(1, 'The client has disconnected')

export function createFairShare({
  size,
  maxWaiting,
  waitTimeout,
  name = 'slow reads',
}: FairShareOptions): FairShare {
  const perCaller = Math.ceil(size / 2)
  /** The callers with tasks. Of those that have used as much as each other, the first gets the next slot. */
  const shares = new Map<string, Share>()
  const usage = createRecentUsage(HALF_LIFE)
  let running = 0
  let open = 0
  let rejected = 0

  function goLast(caller: string, share: Share) {
    shares.delete(caller)
    shares.set(caller, share)
  }

  /** The waiting caller that has used the least. */
  function nextCaller(): [string, Share] | null {
    let next: [string, Share] | null = null
    let least = Infinity
    for (const [caller, share] of shares) {
      if (share.waiting.length === 0 || share.running >= perCaller) continue
      const used = usage.of(caller)
      if (used >= least) continue
      next = [caller, share]
      least = used
    }
    return next
  }

  function startWaiting() {
    while (running < size) {
      const [caller, share] = nextCaller() ?? []
      const task = share?.waiting.shift()
      if (caller === undefined || !share || !task) return
      running++
      share.running++
      goLast(caller, share)
      task.start()
    }
  }

  function release(caller: string, share: Share, milliseconds: number) {
    running--
    share.running--
    usage.add(caller, Math.max(milliseconds, LEAST_TIME))
    goLast(caller, share)
    startWaiting()
    forgetIfIdle(caller, share)
  }

  function forgetIfIdle(caller: string, share: Share) {
    if (share.running === 0 && share.waiting.length === 0) shares.delete(caller)
  }

  function waitForSlot(caller: string, share: Share): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = {
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        share.waiting.splice(share.waiting.indexOf(entry), 1)
        forgetIfIdle(caller, share)
        reject(refusal(share))
      }, waitTimeout).unref()
      share.waiting.push(entry)
    })
  }

  function refusal({ running: own }: Share): ApiError {
    rejected++
    return own >= perCaller
      ? errors.unavailable(1, `Too many ${name} of this caller are in progress`)
      : errors.unavailable(1, `Too many ${name} are waiting`)
  }

  return {
    async run({ caller: callerOf, isDisconnected }, task) {
      if (isDisconnected()) throw disconnected()
      const caller = callerOf()
      const share = shares.get(caller) ?? { running: 0, waiting: [] }
      const hasSlot = running < size && share.running < perCaller
      const isQueueFull = open >= maxWaiting || share.waiting.length >= maxWaiting / 2
      if (!hasSlot && isQueueFull) throw refusal(share)
      shares.set(caller, share)
      open++
      try {
        if (hasSlot) {
          running++
          share.running++
        } else await waitForSlot(caller, share)
        const start = performance.now()
        try {
          if (isDisconnected()) throw disconnected()
          return await task()
        } finally {
          release(caller, share, performance.now() - start)
        }
      } finally {
        open--
      }
    },
    get open() {
      return open
    },
    get rejected() {
      return rejected
    },
  }
}
