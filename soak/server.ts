/** The server that is soaked, in a process of its own. Tells its memory when asked. */
import { openForParent } from '../test/reference/process.ts'

const server = await openForParent({
  // Small enough to be full at once: in the second half memory must stay what it is.
  config: { cache: { maxBytes: 1_048_576 } },
  logLevel: 'error',
  production: true,
})
process.send?.({ address: await server.listen() })
process.on('message', () => {
  // What is still there after a collection is what is held.
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  process.send?.({ rss, heapUsed, external })
})
