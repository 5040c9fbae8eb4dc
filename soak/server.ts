/** The server under test in its own process. Reports its memory on request. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openForParent } from '../test/reference/server-process.ts'

const MOMENTS = 8
const MOMENT_MS = 40

const server = await openForParent({
  // Small enough to fill up quickly: memory must not grow in the second half.
  config: { cache: { maxBytes: 1_048_576 } },
  logLevel: 'error',
  production: true,
})
process.send?.({ address: await server.listen() })
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
