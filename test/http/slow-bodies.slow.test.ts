/** Clients that send bodies slowly do not keep others out, and credentials are checked before a body is read. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine } from '../support/engines.ts'
import { collection, string, typeFile } from '../support/project-server.ts'
import { serve, type TestServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'

const TOKEN = 'full-token-of-the-slow-bodies-0123456789'
const PROJECT = new Map<string, unknown>([
  [typeFile('item'), collection('item', { name: string })],
  ['config/tokens.json', { full: { type: 'full-access', token: TOKEN } }],
  ['config/roles.json', { public: { 'api::item.item': ['find', 'create'] } }],
])
const BODY_SECONDS = 1
const MAX_OPEN = 60
const MAX_OPEN_PER_ADDRESS = 40

interface Client {
  readonly socket: Socket
  received(): string
}

onEachEngine((engine) => {
  let server: TestServer
  const clients: Client[] = []
  before(async () => {
    const bounds = {
      bodySeconds: BODY_SECONDS,
      maxOpenRequests: MAX_OPEN,
      maxOpenRequestsPerAddress: MAX_OPEN_PER_ADDRESS,
      trustedProxies: ['127.0.0.1'],
    }
    server = await serve(PROJECT, await engine.freshUrl(), { server: bounds })
  })
  after(() => {
    for (const { socket } of clients) socket.destroy()
    return server?.close()
  })

  async function open(head: readonly string[], body: string): Promise<Client> {
    const { hostname, port } = new URL(server.base)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.on('error', () => {})
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write([...head, 'Host: localhost', '', body].join('\r\n'))
    const client = { socket, received: () => text }
    clients.push(client)
    return client
  }
  const closed = ({ socket }: Client) => waitUntil(() => socket.destroyed || socket.readableEnded)
  const slowBody = (path: string, ...headers: string[]) =>
    open([`POST ${path} HTTP/1.1`, 'Content-Type: application/json', 'Content-Length: 1000', ...headers], '{')

  it('many slow bodies keep nobody out, neither at other addresses nor at their own', async () => {
    const attackers = await Promise.all(
      Array.from({ length: 3 * MAX_OPEN }, (_, index) =>
        slowBody(
          index % 2 === 0 ? '/api/items' : '/api/batch',
          `X-Forwarded-For: 203.0.113.${index % 3 === 0 ? 1 : 2}`,
        ),
      ),
    )
    for (const from of ['198.51.100.7', '203.0.113.1', '203.0.113.2'])
      for (let count = 0; count < 10; count++) {
        const headers = { 'x-forwarded-for': from, 'content-type': 'application/json' }
        const body = JSON.stringify({ data: { name: 'written' } })
        const read = await fetch(`${server.base}/api/items`, { headers })
        const written = await fetch(`${server.base}/api/items`, { method: 'POST', headers, body })
        assert.deepEqual([read.status, written.status], [200, 201])
        await Promise.all([read.text(), written.text()])
      }
    await Promise.all(attackers.map(closed))
    for (const { received } of attackers) assert.match(received(), /^HTTP\/1\.1 (503|408) /)
  })

  it('a stalled body fails with 408, on every route', async () => {
    for (const path of ['/api/items', '/api/batch', '/api/auth/local', '/api/upload', '/nothing']) {
      const client = await slowBody(path)
      await closed(client)
      assert.match(client.received(), /^HTTP\/1\.1 (408|404|403) /, path)
    }
  })

  it('a client that announces far more than is allowed gets a 413 and is disconnected when it stalls', async () => {
    await Promise.all(
      ['/api/items', '/api/auth/local'].map(async (path) => {
        const head = [`POST ${path} HTTP/1.1`, 'Content-Type: application/json', 'Content-Length: 50000000']
        const client = await open(head, '{')
        await closed(client)
        assert.match(client.received(), /^HTTP\/1\.1 413 /, path)
      }),
    )
  })

  it('an invalid credential fails with 401 before the body arrives, on every route', async () => {
    for (const path of ['/api/items', '/api/batch', '/api/users', '/api/upload', '/admin/api/tokens']) {
      const client = await slowBody(path, 'Authorization: Bearer not-a-token-of-this-server')
      await waitUntil(() => client.received() !== '')
      assert.match(client.received(), /^HTTP\/1\.1 401 /, path)
    }
  })

  it('a permitted upload may take longer', async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nslow'
    const end = ' and complete\r\n--x--\r\n'
    const client = await open(
      [
        'POST /api/upload HTTP/1.1',
        'Content-Type: multipart/form-data; boundary=x',
        `Content-Length: ${part.length + end.length}`,
        `Authorization: Bearer ${TOKEN}`,
      ],
      part,
    )
    await sleep((BODY_SECONDS + 2) * 1000)
    client.socket.write(end)
    await waitUntil(() => client.received() !== '')
    assert.match(client.received(), /^HTTP\/1\.1 201 /)
  })

  it('connections of one address are limited', async () => {
    const limited = await serve(PROJECT, await engine.freshUrl(), { server: { maxConnectionsPerAddress: 5 } })
    const { port } = new URL(limited.base)
    const sockets = Array.from({ length: 8 }, () => connect(Number(port), '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => {})
    await waitUntil(() => sockets.filter((socket) => socket.readableEnded || socket.destroyed).length === 3)
    for (const socket of sockets) socket.destroy()
    const isServed = () =>
      fetch(`${limited.base}/api/items`)
        .then(({ status }) => status === 200)
        .catch(() => false)
    await waitUntil(isServed)
    await limited.close()
  })
})
