import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { describe, it } from 'node:test'
import { bothEngines } from '../../../test/support/engines.ts'
import { createPool } from './connection.ts'

/** What a server that is shut down says to each of its connections. */
const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', '']
const farewell = Buffer.from(fields.map((field) => `${field}\0`).join(''))
const FATAL = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), farewell])
FATAL.writeInt32BE(farewell.length + 4, 1)

/** The last message of an answer: that the server is ready for the next statement. */
const isReady = (chunk: Buffer) => chunk.at(-6) === 'Z'.charCodeAt(0)

/** A way to a server that says farewell in the same breath in which it has become ready. */
async function untimelyServer(host: string, port: number) {
  const server = createServer((incoming) => {
    const outgoing = connect(port, host)
    for (const socket of [incoming, outgoing]) socket.on('error', () => {})
    incoming.pipe(outgoing)
    outgoing.on('data', (chunk) => incoming.write(isReady(chunk) ? Buffer.concat([chunk, FATAL]) : chunk))
    incoming.on('close', () => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, close: () => server.close() }
}

describe('a connection that breaks', () => {
  const [, postgres] = bothEngines()

  it('while it is handed out is told to whoever asks something of it, and ends nothing else', async () => {
    const url = new URL(await postgres.freshUrl())
    const server = await untimelyServer(url.hostname, Number(url.port))
    url.host = `127.0.0.1:${server.port}`
    const pool = createPool({ connectionString: url.href, max: 1, pipeline: true })
    try {
      for (let time = 0; time < 3; time++) {
        const client = await pool.connect()
        await assert.rejects(client.query('SELECT 1'))
        client.release()
        assert.equal(pool.totalCount, 0)
      }
    } finally {
      await pool.end()
      server.close()
    }
  })
})
