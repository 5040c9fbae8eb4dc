/** One of the servers that are asked, in a process of its own. Tells where it listens, and the secret of an admin token. */
import { openForParent } from '../test/reference/process.ts'

const server = await openForParent({
  config: {
    auth: { secret: 'the same secret for both of the twins' },
    upload: { images: { formats: { thumbnail: [245, 156] } } },
  },
  logLevel: process.env.FUZZ_LOG ?? 'silent',
})
const admin = await server.access.tokens.create({ name: 'admin of the fuzzer', kind: 'admin' })
process.send?.({ address: await server.listen(), admin: admin.secret })
