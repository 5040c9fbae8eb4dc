/** `octavo compare`: the GET requests of a log are sent to two servers, and the differences are shown. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { differencesBetween } from '../../src/cli/compare/differences.ts'
import { requestIn } from '../../src/cli/compare/logged-requests.ts'
import { octavo } from '../support/command.ts'

test('GET requests are found in every usual form of a log', () => {
  const found = [
    '/api/tags?sort=name',
    'https://user:secret@cms.example.test/api/tags',
    '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET /api/posts?page=1 HTTP/1.1" 200 2326 "-" "curl"',
    '{"level":30,"req":{"method":"GET","url":"/api/pages"},"msg":"request"}',
    '{"method":"GET","path":"/api/menus"}',
    '[2026-01-02 03:04:05.678] http: GET /api/notes?locale=fr (12 ms) 200',
  ]
  assert.deepEqual(found.map(requestIn), [
    ...['/api/tags?sort=name', '/api/tags', '/api/posts?page=1', '/api/pages', '/api/menus'],
    '/api/notes?locale=fr',
  ])
})

test('other methods and other lines are not requests', () => {
  const lines = ['POST /api/tags', '"DELETE /api/tags/1 HTTP/1.1"', '{"method":"PUT","url":"/api/x"}']
  assert.deepEqual([...lines, '', 'Server started', '{broken'].map(requestIn), Array(6).fill(null))
})

test('differences have the path of the value', () => {
  const one = { data: [{ id: 1, name: 'a' }], meta: { total: 1 } }
  const other = { data: [{ id: 2, name: 'b' }, {}], error: null }
  assert.deepEqual(differencesBetween(one, other, new Set(['id'])), [
    'data: 1 items, 2 items',
    'data[0].name: "a", "b"',
    'meta: {"total":1}, missing',
    'error: missing, null',
  ])
})

async function serving(respond: (url: string, authorization: string) => unknown) {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(respond(request.url ?? '', request.headers.authorization ?? '')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

test('each request is sent once to both servers, with their tokens', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-compare-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const log = path.join(folder, 'access.log')
  writeFileSync(log, '/api/a\n"GET /api/b HTTP/1.1"\n/api/a\nPOST /api/c\n')
  const received: string[] = []
  const strapi = await serving((url, token) => received.push(`${url} ${token}`) && { url, name: 'x' })
  const ours = await serving((url) => ({ url, name: url === '/api/b' ? 'y' : 'x' }))
  try {
    const args = ['compare', strapi.url, `${ours.url}/`, '--requests', log, '--token-a', 'first']
    const { code, out } = await octavo(args)
    assert.equal(code, 1)
    assert.match(out, /GET \/api\/b\n {2}body\.name: "x", "y"\n2 requests: 1 the same, 1 different/)
    assert.deepEqual(received.sort(), ['/api/a Bearer first', '/api/b Bearer first'])
    const ignoring = await octavo([...args, '--ignore', 'name'])
    assert.equal(ignoring.code, 0, ignoring.out)
  } finally {
    strapi.close()
    ours.close()
  }
})

test('a response that breaks off, and a server that cannot be reached, are named', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-compare-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const log = path.join(folder, 'paths.log')
  writeFileSync(log, '/api/a\n')
  const broken = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('{"da', () => response.destroy())
  })
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  const address = broken.address()
  assert.ok(typeof address === 'object' && address !== null)
  const url = `http://127.0.0.1:${address.port}`
  const { code, err } = await octavo(['compare', url, url, '--requests', log])
  assert.equal(code, 1)
  assert.match(err, new RegExp(`${url} does not respond to GET /api/a: `))
  assert.doesNotMatch(err, /Unexpected/)
  await new Promise((resolve) => broken.close(resolve))
  const unreachable = await octavo(['compare', url, url, '--requests', log])
  assert.match(unreachable.err, new RegExp(`${url} does not respond to GET /api/a: .*ECONNREFUSED`))
})

test('passwords and tokens are not printed', async () => {
  const server = 'http://127.0.0.1:1'
  const named = await octavo(['compare', 'http://me:open-sesame@cms.example.test', server, '--requests', 'x'])
  assert.equal(named.code, 1)
  assert.match(named.err, /Pass the URL of http:\/\/cms.example.test without user name and password/)
  assert.doesNotMatch(named.err, /open-sesame/)
  const token = await octavo(['compare', server, server, '--requests', 'x', '--token-b', 'open\nsesame'])
  assert.equal(token.code, 1)
  assert.match(token.err, /The value of --token-b is not a token/)
  assert.doesNotMatch(token.err, /sesame/)
})
