/** Spreads deliveries over time, so that thousands of them leave the process time for requests. */
import { setMaxListeners } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Pace {
  /** Resolves when the next delivery may begin, or when the pace is stopped. */
  next(): Promise<void>
  /** The share of the maximum that is delivered at present: 1 while the process is idle; the busier it is, the less. */
  share(): number
  stop(): void
}

/** How often it is measured how busy the process is. */
const MEASURE_MS = 200
/** The share of the maximum that is delivered however busy the process is. */
const LEAST = 0.03

/** Up to `maxPerSecond` deliveries while the process is idle; the busier it is, the fewer. */
export function createPace(maxPerSecond: number): Pace {
  let measured = performance.eventLoopUtilization()
  let measuredAt = performance.now()
  let share = 1
  let nextAt = 0
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)

  function measure(now: number) {
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, measured)
    measured = current
    measuredAt = now
    share = Math.max((1 - utilization) ** 3, LEAST)
  }

  async function waitForTurn(): Promise<void> {
    const now = performance.now()
    if (now - measuredAt >= MEASURE_MS) measure(now)
    nextAt = Math.max(now, nextAt + 1_000 / (maxPerSecond * share))
    const { signal } = stopping
    if (nextAt - now >= 1 && !signal.aborted) await sleep(nextAt - now, undefined, { signal }).catch(() => {})
  }

  // One after the other: timers that are set at different times can end in another order.
  let last = Promise.resolve()
  return {
    next() {
      last = last.then(waitForTurn)
      return last
    },
    share: () => share,
    stop: () => stopping.abort(),
  }
}
