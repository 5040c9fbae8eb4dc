import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createAppFiles } from '../../src/http/admin/app/files.ts'
import { mediaOrigin, pagePolicy } from '../../src/http/admin/app/page.ts'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import { sendRequest } from '../support/http-request.ts'
import { projectFolder } from '../support/project-server.ts'

const open = async (admin: object) => {
  const server = await createServer({
    project: projectFolder({}),
    config: { admin, server: { port: 0 } },
    logLevel: 'silent',
  })
  await server.listen()
  return server
}

/** The addresses of the files that a page loads. */
const loadedFiles = (page: string) =>
  [...page.matchAll(/(?:src|href)="(\.\/[^"]+)"/g)].flatMap(([, file]) => file ?? [])

describe('the admin app over HTTP', () => {
  let server: OctavoServer
  before(async () => {
    server = await open({})
  })
  after(() => server.close())
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    sendRequest(server, 'GET', path, headers)

  test('every address of the app gets its page, which is not cached', async () => {
    for (const path of ['/admin', '/admin/', '/admin/content/dishes/abc?locale=fr']) {
      const { status, headers, text } = await get(path)
      assert.equal(status, 200, path)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['cache-control'], 'no-store')
      assert.doesNotMatch(text, /__[A-Z]+__/)
    }
  })

  test('the page finds its files and the API behind a proxy that adds a prefix to the path', async () => {
    for (const path of ['/admin', '/admin/', '/admin/content', '/admin/content/dishes/abc']) {
      const { text } = await get(path)
      const [, base = ''] = /<base href="([^"]+)"/.exec(text) ?? []
      const [, root = ''] = /octavo-root" content="([^"]+)"/.exec(text) ?? []
      const seen = new URL(`https://site.example/cms${path}`)
      assert.equal(new URL(base, seen).pathname, '/cms/admin/', path)
      assert.equal(new URL(root, seen).pathname, '/cms/', path)
    }
  })

  test('the page allows its own scripts and styles only, and no page may frame it', async () => {
    const [one, other] = [await get('/admin'), await get('/admin')]
    const policy = String(one.headers['content-security-policy'])
    assert.match(policy, /script-src 'self';/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(one.headers['x-frame-options'], 'DENY')
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? []
    assert.ok(one.text.includes(`nonce="${nonce}"`))
    assert.ok(!other.text.includes(nonce), 'each page has its own nonce')
    assert.doesNotMatch(one.text, /<script(?![^>]* src=)/)
  })

  test('files with a hash in their name are cached for good, compressed when the app was built', async () => {
    const { text } = await get('/admin/')
    const script = loadedFiles(text).find((file) => file.endsWith('.js')) ?? ''
    const path = `/admin/${script.slice(2)}`
    const plain = await get(path)
    assert.equal(plain.status, 200)
    assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(plain.headers['content-encoding'], undefined)
    const { plain: content, brotli, gzip } = (await createAppFiles('dist/admin').file(script.slice(2))) ?? {}
    assert.ok(content && brotli && gzip)
    assert.deepEqual(brotliDecompressSync(brotli), content)
    assert.deepEqual(gunzipSync(gzip), content)
    assert.equal((await get(path, { 'accept-encoding': 'gzip, br' })).headers['content-encoding'], 'br')
    assert.equal((await get(path, { 'accept-encoding': 'gzip' })).headers['content-encoding'], 'gzip')
  })

  test('what is not a file of the app is not served', async () => {
    for (const path of [
      '/admin/assets/missing.js',
      '/admin/assets/../index.html.br',
      '/admin/assets/..%2f..%2fpackage.json',
      '/admin/api/missing',
    ]) {
      const { status, text } = await get(path)
      assert.notEqual(status, 500, path)
      assert.doesNotMatch(text, /"devDependencies"/, path)
      if (path.startsWith('/admin/api') || path.includes('missing')) assert.equal(status, 404, path)
    }
    assert.equal((await sendRequest(server, 'POST', '/admin/content', {}, '{}')).status, 405)
  })

  test('the app moves with admin.path, and is absent when it is turned off', async () => {
    const moved = await open({ path: '/studio/desk' })
    const off = await open({ enabled: false })
    try {
      assert.equal((await sendRequest(moved, 'GET', '/studio/desk/content/x')).status, 200)
      assert.equal((await sendRequest(moved, 'GET', '/studio/desk/api/session')).status, 200)
      assert.equal((await sendRequest(moved, 'GET', '/admin')).status, 404)
      assert.equal((await sendRequest(off, 'GET', '/admin')).status, 404)
    } finally {
      await Promise.all([moved.close(), off.close()])
    }
  })

  test('images of a bucket are allowed, those of other sites are not', async () => {
    const bucket = await mediaOrigin({ sign: null, urlOf: (key) => `https://cdn.example/media/${key}` })
    assert.equal(bucket, 'https://cdn.example')
    assert.match(pagePolicy('x', bucket), /img-src 'self' data: blob: https:\/\/cdn\.example;/)
    assert.equal(await mediaOrigin({ sign: null, urlOf: (key) => `/uploads/${key}` }), null)
  })

  test('a folder without a build has no page', async () => {
    assert.equal(await createAppFiles('dist/not-built').page(), null)
  })
})
