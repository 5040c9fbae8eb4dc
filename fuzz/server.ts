/** One of the servers that are asked, in a process of its own: `server.ts PROJECT DATABASE_URL`. Tells where it listens. */
import { createServer } from '../src/http/app.ts'

const [project, databaseUrl] = process.argv.slice(2)
if (!project || !databaseUrl) throw new Error('server.ts PROJECT DATABASE_URL')
const plenty = 1_000_000_000
const server = await createServer({
  project,
  config: {
    server: { port: 0 },
    database: { url: databaseUrl },
    auth: { secret: 'the same secret for both of the twins' },
    rateLimit: { signIn: { windowSeconds: 1, perIdentifier: plenty, perAddress: plenty } },
    upload: { images: { formats: { thumbnail: [245, 156] } } },
  },
  logLevel: process.env.FUZZ_LOG ?? 'silent',
})
const admin = await server.access.tokens.create({ name: 'admin of the fuzzer', kind: 'admin' })
process.send?.({ address: await server.listen(), admin: admin.secret })
process.on('disconnect', () => void server.close())
