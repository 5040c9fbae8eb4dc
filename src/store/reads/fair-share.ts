/**
 * Shares a number of slots between callers. One caller gets only a part of them, so that a slot is left for others. Who
 * waits gets the next free slot in turn: one task of each caller, then one more of each.
 */
import { type ApiError, errors } from '../../errors.ts'

export interface FairShareOptions {
  /** The number of slots, and how many of them one caller can have. */
  readonly size: number
  readonly perCaller: number
  /** How many tasks may run or wait, and how many milliseconds a task waits. */
  readonly maxWaiting: number
  readonly waitTimeout: number
}

export interface FairShare {
  /**
   * Runs a task as soon as its caller has a slot. Rejects with a 503 when the task would wait for too long, or too many
   * are waiting; one caller can fill only half of the places.
   */
  run<Result>(caller: string, task: () => Promise<Result>): Promise<Result>
  /** The number of tasks that run or wait. */
  readonly open: number
  /** The number of tasks that were rejected. */
  readonly rejected: number
}

interface Share {
  running: number
  readonly waiting: { readonly start: () => void }[]
}

export function createFairShare({ size, perCaller, maxWaiting, waitTimeout }: FairShareOptions): FairShare {
  /** The callers with tasks, in the order in which they get the next slots. */
  const shares = new Map<string, Share>()
  let running = 0
  let open = 0
  let rejected = 0

  function goLast(caller: string, share: Share) {
    shares.delete(caller)
    shares.set(caller, share)
  }

  function startWaiting() {
    for (const [caller, share] of shares) {
      if (running >= size) return
      if (share.running >= perCaller) continue
      const next = share.waiting.shift()
      if (!next) continue
      running++
      share.running++
      goLast(caller, share)
      next.start()
    }
  }

  function release(caller: string, share: Share) {
    running--
    share.running--
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
      ? errors.unavailable(1, 'Too many slow reads of this caller are in progress')
      : errors.unavailable(1, 'Too many reads are waiting')
  }

  return {
    async run(caller, task) {
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
        try {
          return await task()
        } finally {
          release(caller, share)
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
