/** One of the two servers in its own process. Sends its address and an admin token to the parent process. */
import { openForParent } from '../test/reference/server-process.ts'

const server = await openForParent({
  config: {
    auth: { secret: 'the same secret for both of the twins' },
    upload: { images: { formats: { thumbnail: [245, 156] } } },
  },
  logLevel: process.env.FUZZ_LOG ?? 'silent',
})
const admin = await server.access.tokens.create({ name: 'admin of the fuzzer', kind: 'admin' })
process.send?.({ address: await server.listen(), admin: admin.secret })
