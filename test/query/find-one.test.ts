/** Parameters that filter a list also apply to a single document, and are checked in the same way. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

onEachEngine((engine) => {
  let api: ReferenceServer
  let document: string
  const read = (path: string) => api.send('GET', path)
  const statusOf = async (path: string) => (await read(path)).status

  before(async () => {
    api = await startReferenceServer(await engine.freshUrl())
    const created = await api.send('POST', '/api/restaurants', { data: { name: 'Alba', slug: 'alba' } })
    document = `/api/restaurants/${created.json().data.documentId}`
    await api.send('PUT', `${document}?locale=fr`, { data: { name: 'Aube', slug: 'aube' } })
    await api.send('PUT', '/api/homepage', { data: { headline: 'Welcome' } })
    await api.send('PUT', '/api/homepage?locale=fr', { data: { headline: 'Bienvenue' } })
  })
  after(() => api?.close())

  describe('a document that does not match is not found', () => {
    const cases: readonly (readonly [query: string, status: number])[] = [
      ['filters[name]=Alba', 200],
      ['filters[name]=Nope', 404],
      ['_q=alb', 200],
      ['_q=nope', 404],
      ['publicationFilter=has-published-version', 200],
      ['publicationFilter=never-published', 404],
      ['hasPublishedVersion=false', 404],
      ['filters[name]=%01document', 404],
    ]
    for (const [query, status] of cases) {
      it(query, async () => assert.equal(await statusOf(`${document}?${query}`), status))
    }
    it('nor is a user, who is requested by numeric id', async () => {
      const user = { username: 'nora', email: 'nora@example.test', password: 'a-long-password' }
      const { id } = JSON.parse((await api.send('POST', '/api/users', { ...user, role: 1 })).text)
      assert.equal(await statusOf(`/api/users/${id}?filters[username]=nora`), 200)
      assert.equal(await statusOf(`/api/users/${id}?filters[username]=other`), 404)
    })
    it('nor is a single type', async () => {
      assert.equal(await statusOf('/api/homepage?publicationFilter=has-published-version'), 200)
      assert.equal(await statusOf('/api/homepage?publicationFilter=never-published'), 404)
    })
  })

  it('a filter on the locale replaces the default locale', async () => {
    for (const [path, name] of [
      [document, 'name'],
      ['/api/homepage', 'headline'],
    ] as const) {
      const { data } = (await read(`${path}?filters[locale]=fr`)).json()
      assert.deepEqual([data.locale, data[name]], ['fr', path === document ? 'Aube' : 'Bienvenue'])
      assert.equal(await statusOf(`${path}?filters[locale]=fr&locale=en`), 404)
      assert.equal(await statusOf(`${path}?filters[locale]=it`), 404)
    }
  })

  describe('a parameter that is invalid for a list is invalid for a document', () => {
    const queries = [
      'locale[]=fr&locale[]=en',
      'publicationFilter=bogus',
      'hasPublishedVersion=maybe',
      '_q[]=x',
      'filters[zzz]=1',
    ]
    for (const query of queries) {
      it(query, async () => {
        for (const path of [document, '/api/homepage']) {
          const { status, json } = await read(`${path}?${query}`)
          assert.equal(status, 400)
          assert.equal(json().error.name, 'ValidationError')
          assert.match(json().error.message, /locale|publicationFilter|hasPublishedVersion|_q|zzz/)
        }
      })
    }
    it('but an unknown locale, or several locales in one, are not found', async () => {
      for (const locale of ['*', 'fr,en', 'xx'])
        assert.equal(await statusOf(`${document}?locale=${locale}`), 404)
      assert.equal((await read(`${document}?locale[]=fr`)).json().data.name, 'Aube')
    })
  })

  it('the response of a write shows the document, whatever the query filters', async () => {
    const query = 'filters[name]=Nope&filters[locale]=fr&_q=nope&publicationFilter=never-published'
    const made = await api.send('POST', `/api/restaurants?${query}`, { data: { name: 'New', slug: 'new' } })
    assert.equal(made.status, 201)
    assert.equal(made.json().data.name, 'New')
    const path = `/api/restaurants/${made.json().data.documentId}?${query}`
    const changed = await api.send('PUT', path, { data: { name: 'Newer', slug: 'new' } })
    assert.equal(changed.status, 200)
    assert.deepEqual([changed.json().data.name, changed.json().data.locale], ['Newer', 'en'])
    const wrong = await api.send('POST', '/api/restaurants?_q[]=x', { data: { name: 'No', slug: 'no' } })
    assert.equal(wrong.status, 400)
    assert.equal(JSON.parse((await read('/api/restaurants?filters[name]=No')).text).data.length, 0)
  })
})
