import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'
import { stopIntervals } from '../support/stop-intervals.ts'

stopIntervals()

onEachEngine((engine) => {
  describe('responses are cached until their content changes', () => {
    let api: ReferenceServer
    let uncached: ReferenceServer
    before(async () => {
      const url = await engine.freshUrl()
      api = await startReferenceServer(url)
      uncached = await startReferenceServer(url, { cache: { enabled: false, counts: false } })
    })
    after(() => Promise.all([api.close(), uncached.close()]))

    const create = async (plural: string, data: object) =>
      (await api.send('POST', `/api/${plural}`, { data })).json().data.documentId

    it('a repeated request needs no statement', async () => {
      await create('tags', { label: 'a' })
      const url = '/api/tags?sort=label'
      const first = await api.send('GET', url)
      const { reads } = api.server.store.statements
      const again = await api.send('GET', url)
      assert.equal(api.server.store.statements.reads, reads)
      assert.equal(again.text, first.text)
      assert.deepEqual([first.headers['octavo-cache'], again.headers['octavo-cache']], ['miss', 'hit'])
    })

    it('a client that has the response gets 304 without a statement', async () => {
      const { headers } = await api.send('GET', '/api/tags')
      const { reads } = api.server.store.statements
      const known = await api.send('GET', '/api/tags', undefined, {
        'if-none-match': `"x", ${headers.etag}`,
      })
      assert.deepEqual([known.status, known.text, api.server.store.statements.reads], [304, '', reads])
      await create('tags', { label: 'b' })
      assert.equal(
        (await api.send('GET', '/api/tags', undefined, { 'if-none-match': String(headers.etag) })).status,
        200,
      )
    })

    it('If-None-Match: * gets 304 unless the request fails', async () => {
      const any = { 'if-none-match': '*' }
      const url = `/api/tags/${await create('tags', { label: 'c' })}`
      for (const one of [api, uncached]) {
        for (const path of [url, '/api/tags', '/api/tags?filters[label]=none'])
          for (const method of ['GET', 'HEAD'] as const) {
            const { status, text } = await one.send(method, path, undefined, any)
            assert.deepEqual([status, text], [304, ''], path)
          }
        assert.equal((await one.send('GET', '/api/tags/nothing', undefined, any)).status, 404)
        assert.equal((await one.send('GET', '/api/tags?sort=nothing', undefined, any)).status, 400)
      }
    })

    it('responses are not shared between callers with different permissions', async () => {
      const chef = await create('chefs', { name: 'Nora' })
      const url = `/api/restaurants?populate=chef,manager&filters[name]=Shared`
      await create('restaurants', {
        name: 'Shared',
        chef,
        manager: await create('people', { first_name: 'Secret' }),
      })
      const full = await api.send('GET', url)
      const visitor = await api.send('GET', url, undefined, { authorization: '' })
      assert.match(full.text, /Secret/)
      assert.doesNotMatch(visitor.text, /Secret/)
      assert.equal(visitor.headers['octavo-omitted'], 'manager')
      assert.match((await api.send('GET', url)).text, /Secret/)
    })

    it('cached and uncached servers return the same after any write', async () => {
      const ids = {
        chefs: [await create('chefs', { name: 'One' }), await create('chefs', { name: 'Two' })],
        restaurants: [
          await create('restaurants', { name: 'Uno' }),
          await create('restaurants', { name: 'Due' }),
        ],
      }
      const pick = fc.nat(1)
      const step = fc.oneof(
        fc.record({ do: fc.constant('rename' as const), which: pick, to: fc.constantFrom('Aa', 'Bb', 'Cc') }),
        fc.record({ do: fc.constant('chef' as const), which: pick, to: pick }),
        fc.record({ do: fc.constant('drop' as const), which: pick, to: pick }),
        fc.record({ do: fc.constant('unpublish' as const), which: pick, to: pick }),
        fc.record({ do: fc.constant('cook' as const), which: pick, to: fc.constantFrom('X', 'Y') }),
      )
      const urls = [
        '/api/restaurants?sort=name&populate=chef',
        '/api/restaurants?filters[chef][name]=X',
        '/api/chefs?populate=restaurants&status=draft',
        '/api/chefs?sort=restaurants.name&populate[restaurants][count]=true',
        `/api/restaurants/${ids.restaurants[0]}?populate=chef`,
      ]
      const write = (one: typeof step extends fc.Arbitrary<infer Step> ? Step : never) => {
        const restaurant = `/api/restaurants/${ids.restaurants[one.which]}`
        switch (one.do) {
          case 'rename':
            return api.send('PUT', restaurant, { data: { name: one.to } })
          case 'chef':
            return api.send('PUT', restaurant, { data: { chef: ids.chefs[one.to] } })
          case 'drop':
            return api.send('PUT', `${restaurant}?status=draft`, { data: { chef: null } })
          case 'unpublish':
            return api.send('POST', `${restaurant}/actions/unpublish`)
          case 'cook':
            return api.send('PUT', `/api/chefs/${ids.chefs[one.which]}`, { data: { name: one.to } })
        }
      }
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(step, fc.shuffledSubarray(urls)), { maxLength: 8 }),
          async (steps) => {
            for (const [one, reads] of steps) {
              const { status } = await write(one)
              assert(status < 500, String(status))
              for (const url of reads) {
                const [kept, fresh] = [await api.send('GET', url), await uncached.send('GET', url)]
                assert.deepEqual([kept.status, kept.text], [fresh.status, fresh.text], url)
              }
            }
          },
        ),
        { numRuns: 25 },
      )
    })
  })

  describe('a lost update is prevented', () => {
    let api: ReferenceServer
    before(async () => {
      api = await startReferenceServer(await engine.freshUrl())
    })
    after(() => api.close())

    it('with If-Match and the ETag of the document', async () => {
      const { documentId } = (await api.send('POST', '/api/chefs', { data: { name: 'Ada' } })).json().data
      const url = `/api/chefs/${documentId}`
      const etag = String((await api.send('GET', url)).headers.etag)
      const put = (name: string, tag: string) => api.send('PUT', url, { data: { name } }, { 'if-match': tag })
      const first = await put('Bea', etag)
      assert.equal(first.status, 200)
      const late = await put('Cleo', etag)
      assert.deepEqual([late.status, late.json().error.name], [412, 'PreconditionFailedError'])
      assert.equal((await put('Dora', String(first.headers.etag))).status, 200)
      assert.equal((await put('Eve', '*')).status, 200)
      assert.equal((await api.send('DELETE', url, undefined, { 'if-match': etag })).status, 412)
      assert.match((await api.send('GET', url)).text, /Eve/)
    })

    it('for a draft that was edited since, with the ETag of either version', async () => {
      const { documentId } = (await api.send('POST', '/api/articles', { data: { title: 'A' } })).json().data
      const url = `/api/articles/${documentId}`
      const tagOf = async (query: string) => String((await api.send('GET', url + query)).headers.etag)
      const put = (query: string, title: string, tag: string) =>
        api.send('PUT', url + query, { data: { title } }, { 'if-match': tag })
      const published = await tagOf('')
      const draft = await tagOf('?status=draft')
      assert.equal((await put('?status=draft', 'B', draft)).status, 200)
      for (const query of ['', '?status=draft'])
        for (const tag of [published, draft]) assert.equal((await put(query, 'lost', tag)).status, 412)
      const action = (name: string, tag: string) =>
        api.send('POST', `${url}/actions/${name}`, undefined, { 'if-match': tag })
      assert.equal((await action('publish', published)).status, 412)
      assert.equal((await api.send('DELETE', url, undefined, { 'if-match': published })).status, 412)
      assert.equal((await api.send('GET', `${url}?status=draft`)).json().data.title, 'B')
      assert.equal((await action('publish', await tagOf('?status=draft'))).status, 200)
    })

    it('for a published document without newer edits, with the ETag of either version', async () => {
      const made = (await api.send('POST', '/api/articles', { data: { title: 'A' } })).json().data
      const url = `/api/articles/${made.documentId}`
      for (const [read, write] of [
        ['', ''],
        ['?status=draft', ''],
        ['', '?status=draft'],
      ]) {
        const tag = String((await api.send('GET', url + read)).headers.etag)
        const response = await api.send('PUT', url + write, { data: { title: tag } }, { 'if-match': tag })
        assert.equal(response.status, 200, `${read} ${write}`)
      }
    })

    it('also when a version was deleted and created again', async () => {
      const { documentId } = (await api.send('POST', '/api/articles', { data: { title: 'A' } })).json().data
      const url = `/api/articles/${documentId}`
      const tag = String((await api.send('GET', url)).headers.etag)
      for (const [method, path, body] of [
        ['POST', `${url}/actions/unpublish`],
        ['PUT', `${url}?status=draft`, { data: { title: 'B' } }],
        ['POST', `${url}/actions/publish`],
      ] as const)
        assert.equal((await api.send(method, path, body)).status, 200)
      const late = await api.send('PUT', url, { data: { title: 'lost' } }, { 'if-match': tag })
      assert.equal(late.status, 412)
      assert.equal((await api.send('GET', url)).json().data.title, 'B')
    })

    it('when many updates arrive at the same time: one succeeds', async () => {
      const { documentId } = (await api.send('POST', '/api/chefs', { data: { name: 'Ada' } })).json().data
      const url = `/api/chefs/${documentId}`
      const etag = String((await api.send('GET', url)).headers.etag)
      const all = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          api.send('PUT', url, { data: { name: `N${i}` } }, { 'if-match': etag }),
        ),
      )
      assert.deepEqual(all.map(({ status }) => status).sort(), [200, 412, 412, 412, 412, 412, 412, 412])
    })
  })
})
