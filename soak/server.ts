/** The server under test in its own process. Reports its memory on request. */
import { openForParent } from '../test/reference/server-process.ts'
import { reportMemory } from './report-memory.ts'

const server = await openForParent({
  // Small enough to fill up quickly: memory must not grow in the second half.
  config: { cache: { maxBytes: 1_048_576 } },
  logLevel: 'error',
  production: true,
})
process.send?.({ address: await server.listen() })
reportMemory()
