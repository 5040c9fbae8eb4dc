import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { request } from './client.ts'
import { PROJECT } from './project.ts'

const allowOrigin = 'access-control-allow-origin'
const allowCredentials = 'access-control-allow-credentials'
/** Paths that are refused before routing. */
const UNROUTED = ['/api/topics/%ff', `/api/topics/${'x'.repeat(500)}`]

onEachEngine((engine) => {
  let open: TestServer
  let listed: TestServer
  before(async () => {
    open = await serve(PROJECT, await engine.freshUrl())
    listed = await serve(PROJECT, await engine.freshUrl(), {
      cors: { origins: ['https://shop.example'], credentials: true },
      server: { url: 'https://content.example' },
    })
  })
  after(async () => {
    await open?.close()
    await listed?.close()
  })

  const from = (server: TestServer, origin: string, method: 'GET' | 'OPTIONS' = 'GET') =>
    request(server.server, method, '/api/topics', {
      headers: { origin, ...(method === 'OPTIONS' ? { 'access-control-request-method': 'GET' } : {}) },
    })

  it('by default any origin may read responses, without credentials', async () => {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { headers } = await from(open, 'https://anywhere.example', method)
      assert.equal(headers[allowOrigin], '*')
      assert.equal(headers[allowCredentials], undefined)
    }
  })

  it('never echoes an origin that is not listed', async () => {
    const strangers = [
      'https://evil.example',
      'https://shop.example.evil.example',
      'https://evilshop.example',
      'http://shop.example',
      'https://shop.example:8443',
      'null',
    ]
    for (const origin of strangers) {
      for (const method of ['GET', 'OPTIONS'] as const) {
        const { headers } = await from(listed, origin, method)
        assert.equal(headers[allowOrigin], undefined, origin)
        assert.equal(headers[allowCredentials], undefined, origin)
      }
    }
  })

  it('allows a listed origin, with Vary: Origin', async () => {
    const { headers } = await from(listed, 'https://shop.example')
    assert.equal(headers[allowOrigin], 'https://shop.example')
    assert.equal(headers[allowCredentials], 'true')
    assert.match(String(headers.vary), /origin/i)
  })

  it('does not start with credentials for every origin', async () => {
    const careless = serve(PROJECT, await engine.freshUrl(), { cors: { origins: '*', credentials: true } })
    await assert.rejects(careless, /cors/)
  })

  it('a preflight returns 204, any other OPTIONS the methods of the path', async () => {
    assert.equal((await from(open, 'https://a.example', 'OPTIONS')).status, 204)
    const plain = await request(open.server, 'OPTIONS', '/api/topics')
    assert.deepEqual([plain.status, plain.headers.allow], [200, 'HEAD, GET, POST'])
    assert.equal((await request(open.server, 'OPTIONS', '/api/users/me')).headers.allow, 'GET, HEAD')
  })

  it('allows every method and request header, and exposes the relevant response headers, on every path', async () => {
    for (const path of ['/api/topics', '/api/topics/abc', '/nothing', ...UNROUTED]) {
      const { status, headers } = await request(open.server, 'OPTIONS', path, {
        headers: {
          origin: 'https://a.example',
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'authorization,if-match',
        },
      })
      assert.equal(status, 204)
      assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, POST, PUT, PATCH, DELETE')
      assert.equal(headers['access-control-allow-headers'], 'authorization,if-match')
      assert.match(String(headers.vary), /access-control-request-headers/i)
    }
    const { headers } = await from(open, 'https://a.example')
    assert.match(String(headers['access-control-expose-headers']), /\bETag, Idempotency-Replayed\b/)
  })

  it('sends security headers with every response, including errors', async () => {
    for (const path of ['/api/topics', '/api/vaults', '/api/nothing', '/nothing', ...UNROUTED]) {
      const { headers } = await request(open.server, 'GET', path)
      assert.equal(headers['x-content-type-options'], 'nosniff', path)
      assert.match(String(headers['content-security-policy']), /default-src 'none'/, path)
      assert.equal(headers['x-powered-by'], undefined)
      assert.match(String(headers['x-request-id']), /./, path)
    }
  })

  it('sends CORS headers with errors of paths that no route accepts', async () => {
    for (const path of UNROUTED) {
      const headers = { origin: 'https://shop.example', 'x-request-id': 'mine' }
      const response = await request(listed.server, 'GET', path, { headers })
      assert.ok([400, 404].includes(response.status), path)
      assert.equal(response.headers[allowOrigin], 'https://shop.example', path)
      assert.equal(response.headers['x-request-id'], 'mine', path)
    }
  })

  it('sends Strict-Transport-Security only if server.url is https', async () => {
    const header = 'strict-transport-security'
    assert.equal((await request(open.server, 'GET', '/api/topics')).headers[header], undefined)
    assert.match(String((await request(listed.server, 'GET', '/api/topics')).headers[header]), /max-age/)
  })
})
