import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { openProxy } from '../support/proxy.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openLibrary } from './library.ts'

onEachEngine((engine) => {
  it('/readyz is 200 while serving and 503 once the server drains, while /healthz stays 200', async () => {
    const library = await openLibrary(await engine.freshUrl())
    const agent = new Agent({ keepAlive: true, maxSockets: 2 })
    const statusOf = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        get(library.base + path, { agent }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode))
        }).on('error', reject)
      })
    try {
      // Two connections are open when draining starts; each serves one more request.
      assert.deepEqual(await Promise.all([statusOf('/readyz'), statusOf('/healthz')]), [200, 200])
      const drained = library.server.drain()
      assert.deepEqual(await Promise.all([statusOf('/readyz'), statusOf('/healthz')]), [503, 200])
      await drained
    } finally {
      agent.destroy()
      await library.close()
    }
  })

  if (engine.name === 'sqlite') {
    it('after a disk failure /readyz and every write return 503, while reads still work', async () => {
      const disk = failingDisk()
      const library = await openLibrary(await engine.freshUrl())
      const create = () => library.write('POST', '/api/books', { data: { title: 'Atlas' } })
      try {
        assert.equal((await create()).status, 201)
        disk.fail()
        for (const response of [await create(), await create(), await library.get('/readyz')]) {
          assert.equal(response.status, 503)
          assert.ok(response.headers.get('retry-after'))
          assert.match(response.text, /until the server is restarted/)
        }
        assert.equal((await library.get('/healthz')).status, 200)
        assert.equal((await library.get('/api/books')).status, 200)
      } finally {
        disk.restore()
        await library.close()
      }
    })
    return
  }

  it('/readyz is 503 while the database is unreachable, and recovers without a restart', async () => {
    const url = new URL(await engine.freshUrl())
    const proxy = await openProxy({ host: url.hostname, port: Number(url.port) })
    url.port = String(proxy.port)
    const library = await openLibrary(url.href)
    try {
      assert.equal((await library.get('/readyz')).status, 200)
      await proxy.cut()
      const unavailable = await library.get('/readyz')
      assert.equal(unavailable.status, 503)
      assert.ok(unavailable.headers.get('retry-after'))
      assert.equal((await library.get('/healthz')).status, 200)
      await proxy.restore()
      await waitUntil(async () => (await library.get('/readyz')).status === 200)
    } finally {
      await library.close()
      await proxy.close()
    }
  })
})
