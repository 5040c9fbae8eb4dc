/**
 * A server in a process of its own that measures how often it has a large response in memory. Prints, as multiples of the
 * bytes of the response: what was allocated until it is sent, what of it is in use then, and what is held while the client
 * does not receive it. First when the response is made, then when it comes from the cache.
 */
import { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { collection, string, typeFile } from '../support/project-server.ts'
import { serve } from '../support/server.ts'

const PROJECT = new Map<string, unknown>([
  [typeFile('page'), collection('page', { title: string, body: { type: 'text' } })],
  ['config/roles.json', { public: { 'api::page.page': ['find', 'findOne', 'create'] } }],
])
const [databaseUrl = '', text = ''] = process.argv.slice(2)
const PAGES = 10
const PAGE_BYTES = 950_000

const api = await serve(PROJECT, databaseUrl, {
  cache: { enabled: true },
  limits: { readMs: 60_000 },
  database: { waitSeconds: 60, statementSeconds: 60 },
})
const body = text.repeat(PAGE_BYTES / Buffer.byteLength(text))
for (let page = 0; page < PAGES; page++) {
  const sent = JSON.stringify({ data: { title: `page ${page}`, body } })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${api.base}/api/pages`, { method: 'POST', headers, body: sent })
  if (response.status !== 201) throw new Error(await response.text())
  await response.text()
}

const usedMemory = () => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
async function memoryAfterCollection(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.()
    await sleep(20)
  }
  return usedMemory()
}

let onEnd = () => {}
const { end } = ServerResponse.prototype
mock.method(ServerResponse.prototype, 'end', function (this: ServerResponse, ...sent: unknown[]) {
  const ended: unknown = Reflect.apply(end, this, sent)
  onEnd()
  return ended
})

async function measure() {
  const before = await memoryAfterCollection()
  const { promise, resolve } = Promise.withResolvers<readonly [number, number]>()
  onEnd = () => {
    const allocated = usedMemory()
    // The buffers that one collection has found unused are released by a thread; the next one waits for it.
    globalThis.gc?.()
    globalThis.gc?.()
    resolve([allocated, usedMemory()])
  }
  const socket = connect(Number(new URL(api.base).port), '127.0.0.1').pause()
  socket.write('GET /api/pages?sort=id HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const [allocated, inUse] = await promise
  onEnd = () => {}
  const whileSending = await memoryAfterCollection()
  let bytes = 0
  let isCached = false
  for await (const chunk of socket) {
    if (bytes === 0) isCached = /octavo-cache: hit/i.test(String(chunk))
    bytes += chunk.length
  }
  const copies = (memory: number) => (memory - before) / bytes
  return { bytes, isCached, allocated: copies(allocated), inUse: copies(inUse), held: copies(whileSending) }
}

// The first request loads code and fills the cache, which another write empties.
await measure()
await fetch(`${api.base}/api/pages`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ data: { title: 'small' } }),
})
const made = await measure()
// A response that is made while the server is notified of its own write is not cached.
let cached = await measure()
for (let attempt = 0; attempt < 5 && !cached.isCached; attempt++) cached = await measure()
process.stdout.write(JSON.stringify({ made, cached }))
await api.close()
