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
      const answer = await api.send('GET', '/api/openapi.json', undefined, headers)
      assert.equal(answer.status, 200)
      return answer
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
      ])
    })

    it('holds no word of what a visitor may not see', async () => {
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

    it('refuses a credential that is not known', async () => {
      const answer = await api.send('GET', '/api/openapi.json', undefined, {
        authorization: 'Bearer nobody',
      })
      assert.equal(answer.status, 401)
    })

    it('is not sent again to whoever has it, and never shared between callers', async () => {
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

    it('knows a content-type as soon as it is there, and no longer when it is gone', async () => {
      const { secret } = await api.server.access.tokens.create({ name: 'the admin', kind: 'admin' })
      const admin = { authorization: `Bearer ${secret}` }
      const schema = { uid: 'api::menu.menu', attributes: { title: { type: 'string' } } }
      const info = { singularName: 'menu', pluralName: 'menus', displayName: 'Menu' }
      const before = await openApi()
      assert.doesNotMatch(before.text, /\/api\/menus"/)
      const url = '/admin/api/content-types'
      const made = await api.send('POST', url, { data: { ...schema, kind: 'collectionType', info } }, admin)
      assert.equal(made.status, 201, made.text)
      assert.match((await openApi()).text, /"\/api\/menus"/)
      const gone = await api.send('DELETE', `${url}/${schema.uid}?confirm=true`, undefined, admin)
      assert.equal(gone.status, 204, gone.text)
      assert.equal((await openApi()).text, before.text)
    })

    it('has a page that loads from this server alone', async () => {
      const page = await api.send('GET', '/docs', undefined, PUBLIC)
      assert.equal(page.status, 200)
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
      const policy = String(page.headers['content-security-policy'])
      assert.match(policy, /default-src 'none'.*script-src 'self'.*connect-src 'self'/)
      assert.doesNotMatch(policy, /unsafe|\*|https?:/)
      assert.doesNotMatch(page.text, /https?:|\/\/\w/)
      assert.doesNotMatch(page.text, /<script>|\bon\w+=|style=/)

      const addresses = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(
        ([, address = '']) => address,
      )
      assert.equal(addresses.length, 3)
      for (const address of addresses) {
        const asset = await api.send('GET', address, undefined, PUBLIC)
        assert.deepEqual([asset.status, asset.headers['x-content-type-options']], [200, 'nosniff'], address)
        assert.match(String(asset.headers['content-type']), /^text\/(css|javascript)/)
        if (address.endsWith('.css'))
          assert.deepEqual(asset.text.match(/@import|url\((?!["']?data:)[^)]{0,50}/g), null)
      }
    })

    it('sends assets small to browsers that can unpack them', async () => {
      const plain = await api.send('GET', '/docs/swagger-ui.js', undefined, PUBLIC)
      const small = await api.server.app.inject({
        url: '/docs/swagger-ui.js',
        headers: { 'accept-encoding': 'gzip' },
      })
      assert.equal(small.headers['content-encoding'], 'gzip')
      assert.ok(small.rawPayload.length < plain.text.length / 2)
    })

    it('answers other methods and paths below it as any path does', async () => {
      assert.equal((await api.send('POST', '/docs', {})).status, 405)
      assert.equal((await api.send('POST', '/api/openapi.json', {})).status, 405)
      assert.equal((await api.send('GET', '/docs/package.json')).status, 404)
      assert.equal((await api.send('GET', '/docs/..%2fpackage.json')).status, 404)
    })
  })
})
