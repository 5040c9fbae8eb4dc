import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { bothEngines } from '../../../../test/support/engines.ts'
import { createPool, withClient } from './connection.ts'

/** The error message that a server sends to each connection when it shuts down. */
const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', '']
const shutdown = Buffer.from(fields.map((field) => `${field}\0`).join(''))
const FATAL = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), shutdown])
FATAL.writeInt32BE(shutdown.length + 4, 1)

/** Whether a chunk ends with ReadyForQuery, the last message of a response. */
const isReady = (chunk: Buffer) => chunk.at(-6) === 'Z'.charCodeAt(0)

/** A proxy to a server that shuts each connection down in the same packet in which it becomes ready. */
async function startProxy(host: string, port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    const outgoing = connect(port, host)
    for (const socket of [incoming, outgoing]) {
      socket.on('error', () => {})
      sockets.add(socket)
    }
    incoming.pipe(outgoing)
    outgoing.on('data', (chunk) => incoming.write(isReady(chunk) ? Buffer.concat([chunk, FATAL]) : chunk))
    incoming.on('close', () => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe('a connection that breaks just as the pool hands it out', () => {
  const [, postgres] = bothEngines()

  it('fails the query sent on it and leaves the process running', { timeout: 20_000 }, async () => {
    const url = new URL(await postgres.freshUrl())
    const proxy = await startProxy(url.hostname, Number(url.port))
    url.host = `127.0.0.1:${proxy.port}`
    const pool = createPool({ connectionString: url.href, max: 1, pipeline: true })
    try {
      for (let time = 0; time < 3; time++) {
        const client = await pool.connect()
        await assert.rejects(client.query('SELECT 1'))
        client.release()
        assert.equal(pool.totalCount, 0)
      }
    } finally {
      proxy.close()
      await pool.end()
    }
  })
})

describe('a connection whose transaction could not be rolled back', () => {
  const [, postgres] = bothEngines()

  it('is not used again', async () => {
    const pool = createPool({ connectionString: await postgres.freshUrl(), max: 1 })
    try {
      const failed = withClient(pool, async (client) => {
        await client.query('BEGIN')
        await client.query('SELECT nothing')
      })
      await assert.rejects(failed, /nothing/)
      const { rows } = await withClient(pool, (client) => client.query('SELECT 1 AS one'))
      assert.deepEqual(rows, [{ one: 1 }])
    } finally {
      await pool.end()
    }
  })
})
