/** The server under test, in a process of its own: `server.ts PROJECT DATABASE_URL`. Tells its parent where it listens. */
import { createServer } from '../src/http/app.ts'
import { usage } from './child.ts'

const [project, databaseUrl] = process.argv.slice(2)
if (!project || !databaseUrl) throw new Error('server.ts PROJECT DATABASE_URL')
const server = await createServer({
  project,
  config: {
    server: { port: 0 },
    database: { url: databaseUrl },
    // The bars are for answers that are read each time; BENCH_CACHE=on measures the kept ones.
    cache: { enabled: process.env.BENCH_CACHE === 'on' },
  },
  logLevel: 'error',
})
process.send?.({ address: await server.listen() })
process.on('message', () => process.send?.(usage()))
process.on('disconnect', () => void server.close())
