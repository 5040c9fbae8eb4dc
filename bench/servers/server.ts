/** The server under test in its own process: `server.ts PROJECT DATABASE_URL`. Sends its address to the parent process. */
import { createServer } from '../../src/http/app.ts'
import { usage } from './child-process.ts'

const [project, databaseUrl] = process.argv.slice(2)
if (!project || !databaseUrl) throw new Error('server.ts PROJECT DATABASE_URL')
const server = await createServer({
  project,
  config: {
    server: { port: 0 },
    database: { url: databaseUrl },
    // The targets apply without the response cache; BENCH_CACHE=on measures with it.
    cache: { enabled: process.env.BENCH_CACHE === 'on' },
  },
  logLevel: 'error',
})
process.send?.({ address: await server.listen() })
process.on('message', () => process.send?.(usage()))
process.on('disconnect', () => void server.close())
