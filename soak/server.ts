/** The server that is soaked, in a process of its own. Tells its memory when asked. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openForParent } from '../test/reference/process.ts'

const MOMENTS = 8
const MOMENT_MS = 40

const server = await openForParent({
  // Small enough to be full at once: in the second half memory must stay what it is.
  config: { cache: { maxBytes: 1_048_576 } },
  logLevel: 'error',
  production: true,
})
process.send?.({ address: await server.listen() })
process.on('message', async () => {
  // What is there in the quietest of some moments is what is held. Buffers that a collection found to be garbage are given
  // back after it, some tens of megabytes under load, and hashing a password takes 46 MiB as long as it lasts.
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
