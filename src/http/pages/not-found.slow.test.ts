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
        assert.match(
          String(sent.get('content-security-policy')),
          /default-src 'none'; img-src data:; style-src 'sha256-/,
        )
        assert.match(text, /<h1>my &lt;site&gt;<\/h1>/)
        const links = [...text.matchAll(/href="(\.[^"]+)"/g)].map(([, link = '']) => link)
        assert.deepEqual(links, ['./admin', './docs', './docs/guide', './api/openapi.json'])
        for (const link of links) assert.notEqual((await get(link.slice(1))).status, 404, link)
      }
    })

    it('the guide lists pages that exist, whose links and pictures do too, and nothing else can be read', async () => {
      const { text } = await get('/docs/guide', BROWSER)
      const names = [...text.matchAll(/href="guide\/([^"]+)"/g)].map(([, name = '']) => name)
      assert.equal(names[0], 'quickstart')
      assert.ok(names.length > 20)
      const pages = new Map<string, string>()
      for (const name of names) {
        const page = await get(`/docs/guide/${name}`)
        assert.equal(page.status, 200, name)
        assert.match(String(page.headers.get('content-type')), /^text\/html/)
        assert.match(
          String(page.headers.get('content-security-policy')),
          /default-src 'none'; img-src 'self' data:/,
        )
        const outsideCode = page.text.replaceAll(/<(pre|code|style)\b.*?<\/\1>/gs, 'code')
        const left = /^ *(```|\||#)|^ {4}|\]\(|\*\*/m.exec(outsideCode)
        assert.equal(left, null, `${name} has Markdown that is not rendered`)
        pages.set(name, page.text)
        const source = await get(`/docs/guide/${name}.md`)
        assert.match(String(source.headers.get('content-type')), /^text\/plain/)
        assert.match(source.text, /^# /)
      }
      const pictures = new Set<string>()
      for (const [name, page] of pages) {
        for (const [, target = name, anchor = ''] of page.matchAll(/href="([\w-]+)?#([^"]+)"/g))
          assert.ok(pages.get(target)?.includes(`id="${anchor}"`), `${name} links to ${target}#${anchor}`)
        for (const [, target = ''] of page.matchAll(/href="([\w-]+)"/g)) assert.ok(pages.has(target), target)
        for (const [, picture = ''] of page.matchAll(/src(?:set)?="([^"]+)"/g)) pictures.add(picture)
      }
      assert.ok(pictures.size > 10)
      for (const picture of pictures) {
        const sent = await fetch(`${running.base}/docs/guide/${picture}`)
        assert.match(String(sent.headers.get('content-type')), /^image\//, picture)
        await sent.body?.cancel()
      }
      for (const file of [
        '..%2fpackage.json',
        '..%2fREADME.md',
        'missing.svg',
        'missing.md',
        'pictures/x.webp',
      ])
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
