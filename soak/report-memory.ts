/** Reports the memory of this process to its parent on request. */
import { setTimeout as sleep } from 'node:timers/promises'

const MOMENTS = 8
const MOMENT_MS = 40

/** Responds to each message of the parent with resident memory, and heap plus buffers after a garbage collection, in bytes. */
export function reportMemory(): void {
  process.on('message', async () => {
    // The minimum of several samples is what the process really holds. Under load, tens of megabytes of garbage buffers are
    // freed only after a collection, and hashing a password temporarily takes 46 MiB.
    let held = Number.POSITIVE_INFINITY
    let rss = Number.POSITIVE_INFINITY
    for (let moment = 0; moment < MOMENTS; moment++) {
      globalThis.gc?.()
      const memory = process.memoryUsage()
      held = Math.min(held, memory.heapUsed + memory.external)
      rss = Math.min(rss, memory.rss)
      await sleep(MOMENT_MS)
    }
    process.send?.({ rss, held })
  })
}
