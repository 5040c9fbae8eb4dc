/** Spreads deliveries over time, so that thousands of them leave the process time for requests. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when the next delivery may begin. */
export type Pace = () => Promise<void>

/** How often it is measured how busy the process is. */
const MEASURE_MS = 200
/** The share of the maximum that is delivered however busy the process is. */
const LEAST = 0.05

/** Up to `maxPerSecond` deliveries while the process is idle; the busier it is, the fewer. */
export function createPace(maxPerSecond: number): Pace {
  let measured = performance.eventLoopUtilization()
  let measuredAt = performance.now()
  let interval = 1_000 / maxPerSecond
  let next = 0

  function measure(now: number) {
    const current = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(current, measured)
    measured = current
    measuredAt = now
    interval = 1_000 / (maxPerSecond * Math.max((1 - utilization) ** 2, LEAST))
  }

  return async () => {
    const now = performance.now()
    if (now - measuredAt >= MEASURE_MS) measure(now)
    next = Math.max(now, next + interval)
    if (next - now >= 1) await sleep(next - now)
  }
}
