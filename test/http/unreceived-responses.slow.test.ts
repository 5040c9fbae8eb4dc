/** A client that does not receive its response is disconnected; one that receives it slowly is not. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bothEngines } from '../support/engines.ts'
import { collection, string, typeFile } from '../support/project-server.ts'
import { serve, type TestServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'

const PROJECT = new Map<string, unknown>([
  [typeFile('page'), collection('page', { title: string, body: { type: 'text' } })],
  ['config/roles.json', { public: { 'api::page.page': ['find', 'findOne', 'create'] } }],
])
/** More than the buffers of the network hold. */
const PAGES = 30
const PAGE_BYTES = 900_000

const [sqlite] = bothEngines()
let api: TestServer
before(async () => {
  api = await serve(PROJECT, await sqlite.freshUrl(), {
    server: { bodySeconds: 2 },
    limits: { readMs: 60_000, responseBytes: 2 * PAGES * PAGE_BYTES },
  })
  const body = JSON.stringify({ data: { title: 'page', body: 'x'.repeat(PAGE_BYTES) } })
  for (let page = 0; page < PAGES; page++) {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${api.base}/api/pages`, { method: 'POST', headers, body })
    assert.equal(response.status, 201, await response.text())
  }
})
after(() => api.close())

/** A client that has requested all pages and receives nothing yet. */
function requestPages() {
  const socket = connect(Number(new URL(api.base).port), '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write('GET /api/pages?pagination[pageSize]=100 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  return socket
}

it('a client that receives nothing of its response is disconnected', async () => {
  const connected: Promise<Socket[]> = once(api.server.app.server, 'connection')
  const client = requestPages()
  const [socket] = await connected
  await waitUntil(() => socket?.destroyed === true, 20_000)
  client.destroy()
})

it('a client that receives its response slowly gets all of it', async () => {
  const socket = requestPages()
  let bytes = 0
  let paused = 0
  for await (const chunk of socket) {
    bytes += chunk.length
    // For longer than the limit altogether, but never for so long at once.
    if (bytes > (paused + 1) * 5_000_000) {
      paused += 1
      await sleep(700)
    }
  }
  assert.ok(bytes > PAGES * PAGE_BYTES)
})
