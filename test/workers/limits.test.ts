/** Requests, uploads and connections beyond the limits are refused immediately, and the server recovers. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { collection, string, typeFile } from '../support/project-server.ts'
import { serve, type TestServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'

const TOKEN = 'full-token-of-the-worker-tests-0123456789'
const PROJECT = new Map<string, unknown>([
  [typeFile('item'), collection('item', { name: string })],
  ['config/tokens.json', { full: { type: 'full-access', token: TOKEN } }],
  ['config/roles.json', { public: { 'api::item.item': ['find'] } }],
])

/** Opens a connection and records what it receives. */
async function openSocket(base: string) {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, received: () => text }
}

const closed = (socket: Socket) => waitUntil(() => socket.destroyed || socket.readableEnded)

onEachEngine((engine) => {
  let server: TestServer
  /** Requests with the parameter `wait` wait for this. */
  let finish = () => {}
  const finished = new Promise<undefined>((resolve) => {
    finish = () => resolve(undefined)
  })
  before(async () => {
    const bounds = {
      maxOpenRequests: 3,
      headersSeconds: 1,
      bodySeconds: 1,
      requestSeconds: 4,
      maxConnections: 20,
    }
    const find = { before: ({ params }: { params: unknown }) => (Object(params).wait ? finished : undefined) }
    server = await serve(
      PROJECT,
      await engine.freshUrl(),
      { server: bounds, upload: { maxAtOnce: 1 } },
      { find: { 'api::item.item': find } },
    )
  })
  after(() => server.close())

  const slowHead = [
    'POST /api/items HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${TOKEN}`,
    'Content-Type: application/json',
    'Content-Length: 1000',
    '',
    '{',
  ].join('\r\n')

  it('refuses requests beyond the limit with 503 and Retry-After, and serves again when others have finished', async () => {
    const waiting = Array.from({ length: 3 }, () => fetch(`${server.base}/api/items?wait=true`))
    await waitUntil(async () => (await fetch(`${server.base}/api/items`)).status === 503)
    const refused = await fetch(`${server.base}/api/items`)
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal(refused.headers.get('access-control-allow-origin'), '*')
    assert.ok(refused.headers.get('x-request-id'))
    const { error } = JSON.parse(await refused.text())
    assert.deepEqual(
      [error.status, error.name, error.message],
      [503, 'ServiceUnavailableError', 'Too many open requests'],
    )
    assert.equal((await fetch(`${server.base}/healthz`)).status, 200)
    finish()
    for (const response of await Promise.all(waiting)) assert.equal(response.status, 200)
    await waitUntil(async () => (await fetch(`${server.base}/api/items`)).status === 200)
  })

  it('a request that waits for its body makes room for others', async () => {
    const slow = await Promise.all(Array.from({ length: 6 }, () => openSocket(server.base)))
    for (const { socket } of slow) socket.write(slowHead)
    for (let count = 0; count < 20; count++)
      assert.equal((await fetch(`${server.base}/api/items`)).status, 200)
    await Promise.all(slow.map(({ socket }) => closed(socket)))
    for (const { received } of slow) assert.match(received(), /^HTTP\/1\.1 (503|408) /)
  })

  it('closes a connection that sends headers or a body too slowly, with 408', async () => {
    const [headers, body] = await Promise.all([openSocket(server.base), openSocket(server.base)])
    headers.socket.write('GET /api/items HTTP/1.1\r\nHost: local')
    body.socket.write(slowHead)
    await Promise.all([closed(headers.socket), closed(body.socket)])
    for (const { received } of [headers, body]) assert.match(received(), /^HTTP\/1\.1 408 /)
  })

  it('receives a limited number of uploads at a time', async () => {
    const { socket, received } = await openSocket(server.base)
    const head = [
      'POST /api/upload HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${TOKEN}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 1000000',
      '',
      '--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nslow',
    ].join('\r\n')
    const upload = () => {
      const form = new FormData()
      form.append('files', new Blob(['quick']), 'b.txt')
      const headers = { authorization: `Bearer ${TOKEN}` }
      return fetch(`${server.base}/api/upload`, { method: 'POST', headers, body: form })
    }
    socket.write(head)
    // The slow upload must start first, or it would be the refused one.
    const incoming = join(server.server.project.dir, 'public/uploads/.incoming')
    await waitUntil(() => existsSync(incoming) && readdirSync(incoming).length > 0)
    await waitUntil(async () => (await upload()).status === 503)
    const refused = await upload()
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
    assert.equal(received(), '')
    socket.destroy()
    await waitUntil(async () => (await upload()).status === 201)
  })

  it('closes connections beyond the limit, and accepts new ones when others have ended', async () => {
    const open = await Promise.all(Array.from({ length: 20 }, () => openSocket(server.base)))
    const extra = await openSocket(server.base)
    await closed(extra.socket)
    for (const { socket } of open) socket.destroy()
    const isServed = () =>
      fetch(`${server.base}/api/items`)
        .then(({ status }) => status === 200)
        .catch(() => false)
    await waitUntil(isServed)
  })
})
