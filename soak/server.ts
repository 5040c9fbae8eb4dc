/** The server that is soaked, in a process of its own: `server.ts PROJECT DATABASE_URL`. Tells its memory when asked. */
import { createServer } from '../src/http/app.ts'

const [project, databaseUrl] = process.argv.slice(2)
if (!project || !databaseUrl) throw new Error('server.ts PROJECT DATABASE_URL')
const plenty = 1_000_000_000
const server = await createServer({
  project,
  config: {
    server: { port: 0 },
    database: { url: databaseUrl },
    rateLimit: { signIn: { windowSeconds: 1, perIdentifier: plenty, perAddress: plenty } },
    // Small enough to be full at once: in the second half memory must stay what it is.
    cache: { maxBytes: 1_048_576 },
  },
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
process.on('disconnect', () => void server.close())
