import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

const PUBLIC = { authorization: '' }

onEachEngine((engine) => {
  describe('documentation', () => {
    let api: ReferenceServer
    before(async () => {
      api = await startReferenceServer(await engine.freshUrl())
    })
    after(() => api.close())

    const openApi = async (headers: Record<string, string> = {}) => {
      const response = await api.send('GET', '/api/openapi.json', undefined, headers)
      assert.equal(response.status, 200)
      return response
    }

    it('is an OpenAPI document of what the caller may use', async () => {
      const full: { openapi: string; paths: object } = JSON.parse((await openApi()).text)
      const visitor: { paths: object } = JSON.parse((await openApi(PUBLIC)).text)
      assert.match(full.openapi, /^3\.1\./)
      const paths = (document: { paths: object }) =>
        Object.keys(document.paths).filter((path) => !/^\/api\/(auth|openapi)/.test(path))
      assert.ok(paths(full).includes('/api/accounts'))
      assert.deepEqual(paths(visitor), [
        '/api/articles',
        '/api/articles/{documentId}',
        '/api/categories',
        '/api/categories/{documentId}',
        '/api/chefs',
        '/api/homepage',
        '/api/restaurants',
        '/api/restaurants/{documentId}',
        '/api/tags',
        '/api/events',
      ])
    })

    it('does not mention what an anonymous caller may not see', async () => {
      const { text } = await openApi(PUBLIC)
      const types = [
        '/api/dishes',
        'DishRelated',
        'Person',
        'people',
        'Comment',
        'Banner',
        'Setting',
        'Account',
      ]
      const names = [
        'calories',
        'first_name',
        'manager',
        'favourites',
        'site_name',
        'holder',
        'support_email',
      ]
      const secrets = ['internal_notes', 'api_key', 'recovery', 'salary']
      assert.deepEqual(
        [...types, ...names, ...secrets].filter((word) => text.includes(word)),
        [],
      )
    })

    it('rejects an unknown credential', async () => {
      const response = await api.send('GET', '/api/openapi.json', undefined, {
        authorization: 'Bearer nobody',
      })
      assert.equal(response.status, 401)
    })

    it('supports ETags, and is not shared between callers', async () => {
      const first = await openApi()
      const again = await api.send('GET', '/api/openapi.json', undefined, {
        'if-none-match': String(first.headers.etag),
      })
      assert.deepEqual([again.status, again.text], [304, ''])
      assert.match(String(first.headers['cache-control']), /private/)
      assert.match(String(first.headers.vary), /Authorization/)
      const visitor = await openApi({ ...PUBLIC, 'if-none-match': String(first.headers.etag) })
      assert.notEqual(visitor.headers.etag, first.headers.etag)
    })

    it('has a content-type from its creation until its deletion', async () => {
      const { secret } = await api.server.access.tokens.create({ name: 'the admin', kind: 'admin' })
      const admin = { authorization: `Bearer ${secret}` }
      const schema = { uid: 'api::menu.menu', attributes: { title: { type: 'string' } } }
      const info = { singularName: 'menu', pluralName: 'menus', displayName: 'Menu' }
      const before = await openApi()
      assert.doesNotMatch(before.text, /\/api\/menus"/)
      const url = '/admin/api/content-types'
      const created = await api.send(
        'POST',
        url,
        { data: { ...schema, kind: 'collectionType', info } },
        admin,
      )
      assert.equal(created.status, 201, created.text)
      assert.match((await openApi()).text, /"\/api\/menus"/)
      const deleted = await api.send('DELETE', `${url}/${schema.uid}?confirm=true`, undefined, admin)
      assert.equal(deleted.status, 204, deleted.text)
      assert.equal((await openApi()).text, before.text)
    })

    it('has a page that loads everything from this server', async () => {
      const load = async (path: string) => {
        const response = await fetch(api.base + path)
        return { status: response.status, headers: response.headers, text: await response.text() }
      }
      const page = await load('/docs')
      assert.equal(page.status, 200)
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
      const policy = String(page.headers.get('content-security-policy'))
      assert.match(policy, /default-src 'none'.*script-src 'self'.*connect-src 'self'/)
      assert.doesNotMatch(policy, /unsafe|\*|https?:/)
      assert.doesNotMatch(page.text, /https?:|\/\/\w/)
      assert.doesNotMatch(page.text, /<script>|\bon\w+=|style=/)

      const paths = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
      assert.equal(paths.length, 3)
      for (const path of paths) {
        const asset = await load(path)
        assert.deepEqual([asset.status, asset.headers.get('x-content-type-options')], [200, 'nosniff'], path)
        assert.match(String(asset.headers.get('content-type')), /^text\/(css|javascript)/)
        if (path.endsWith('.css'))
          assert.deepEqual(asset.text.match(/@import|url\((?!["']?data:)[^)]{0,50}/g), null)
        if (path === '/docs/swagger-ui.js') assert.match(asset.text, /SwaggerUIBundle/)
      }
    })

    it('compresses assets for browsers that accept gzip', async () => {
      const plain = await api.send('GET', '/docs/swagger-ui.js', undefined, PUBLIC)
      const compressed = await api.server.app.inject({
        url: '/docs/swagger-ui.js',
        headers: { 'accept-encoding': 'gzip' },
      })
      assert.equal(compressed.headers['content-encoding'], 'gzip')
      assert.ok(compressed.rawPayload.length < plain.text.length / 2)
    })

    it('rejects other methods and unknown paths below /docs', async () => {
      assert.equal((await api.send('POST', '/docs', {})).status, 405)
      assert.equal((await api.send('POST', '/api/openapi.json', {})).status, 405)
      assert.equal((await api.send('GET', '/docs/package.json')).status, 404)
      assert.equal((await api.send('GET', '/docs/..%2fpackage.json')).status, 404)
    })
  })
})
