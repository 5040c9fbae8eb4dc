/** The server under siege in its own process, with notes and tags. Reports its memory on request. */
import { reportMemory } from '../soak/report-memory.ts'
import { openForParent } from '../test/reference/server-process.ts'
import { fillNotesAndTags } from '../test/support/notes-and-tags.ts'
import { NOTE_COUNTS } from './project.ts'

const server = await openForParent({
  config: {
    // Small enough to be full before the siege: memory must be back at its level afterwards.
    cache: { maxBytes: 4_194_304 },
    server: { bodySeconds: 3, headersSeconds: 3 },
    rateLimit: {},
    mcp: { enabled: true },
  },
  logLevel: 'info',
  production: true,
})
await fillNotesAndTags(
  server,
  process.env.OCTAVO_SIEGE_SIZE === 'small' ? NOTE_COUNTS.small : NOTE_COUNTS.whole,
)
process.send?.({ address: await server.listen() })
reportMemory()
