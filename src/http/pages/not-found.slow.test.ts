import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { serve, type TestServer } from '../../../test/support/server.ts'
import type { Extension } from '../extension/extension.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

onEachEngine((engine) => {
  describe('paths without a route', () => {
    let running: TestServer
    before(async () => {
      const files = new Map<string, unknown>([['package.json', { name: 'my <site>' }]])
      running = await serve(files, await engine.freshUrl())
    })
    after(() => running.close())

    async function get(path: string, headers: Record<string, string> = {}) {
      const response = await fetch(running.base + path, { headers })
      const { status } = response
      return { status, headers: response.headers, text: await response.text() }
    }

    it('the root is a page that links to the admin app, the API reference and the guide', async () => {
      for (const headers of [BROWSER, {}]) {
        const { status, text, headers: sent } = await get('/', headers)
        assert.equal(status, 200)
        assert.match(String(sent.get('content-type')), /^text\/html/)
        assert.match(String(sent.get('content-security-policy')), /default-src 'none'; style-src 'sha256-/)
        assert.match(text, /<h1>my &lt;site&gt;<\/h1>/)
        const links = [...text.matchAll(/href="(\.[^"]+)"/g)].map(([, link = '']) => link)
        assert.deepEqual(links, ['./admin', './docs', './docs/guide', './api/openapi.json'])
        for (const link of links) assert.notEqual((await get(link.slice(1))).status, 404, link)
      }
    })

    it('the guide lists texts that exist, and nothing else of the package can be read', async () => {
      const { text } = await get('/docs/guide', BROWSER)
      const files = [...text.matchAll(/href="guide\/([^"]+)"/g)].map(([, file = '']) => file)
      assert.equal(files[0], 'quickstart.md')
      assert.ok(files.length > 20)
      for (const file of files) {
        const guide = await get(`/docs/guide/${file}`)
        assert.equal(guide.status, 200, file)
        assert.match(String(guide.headers.get('content-type')), /^text\/plain/)
        assert.match(guide.text, /^# /)
      }
      for (const file of ['..%2fpackage.json', 'layers.svg', 'missing.md'])
        assert.equal((await get(`/docs/guide/${file}`)).status, 404, file)
    })

    it('a browser gets a page with links that lead back, and nothing of the path is run', async () => {
      const { status, text } = await get('/a/<script>alert(1)</script>/?x', BROWSER)
      assert.equal(status, 404)
      assert.doesNotMatch(text, /<script/i)
      assert.match(
        (await get('/some/page', BROWSER)).text,
        /There is no page at \/some\/page.*href="\.\.\/docs"/s,
      )
    })

    it('programs get JSON, and so does everyone below /api', async () => {
      const json = { accept: 'application/json' }
      const cases = [
        ['/', json],
        ['/missing', {}],
        ['/api/missing', BROWSER],
        ['/uploads/missing.png', BROWSER],
      ] as const
      for (const [path, headers] of cases) {
        const { status, text } = await get(path, headers)
        assert.equal(status, 404, path)
        assert.equal(JSON.parse(text).error.name, 'NotFoundError', path)
      }
      const posted = await fetch(`${running.base}/`, { method: 'POST', headers: BROWSER })
      assert.equal(posted.status, 404)
    })
  })

  describe('a project with a page of its own, and without an API reference', () => {
    it('replaces the front page, and has nothing at /docs', async () => {
      const routes: Extension['routes'] = (app) => void app.get('/', async () => 'mine')
      const running = await serve(
        new Map(),
        await engine.freshUrl(),
        { docs: { enabled: false } },
        { routes },
      )
      try {
        assert.equal(await (await fetch(running.base)).text(), 'mine')
        assert.equal((await fetch(`${running.base}/docs`)).status, 404)
        assert.equal((await fetch(`${running.base}/docs/start.js`)).status, 404)
        assert.equal((await fetch(`${running.base}/docs/guide`)).status, 404)
      } finally {
        await running.close()
      }
    })
  })
})
