import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

onEachEngine((engine) => {
  let api: ReferenceServer
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl(), { api: { rest: { strictParams: true } } })
  })
  after(() => api.close())

  describe('DELETE', () => {
    it('refuses more than one locale and deletes nothing', async () => {
      const { documentId } = (await api.send('POST', '/api/articles', { data: { title: 'A' } })).json().data
      const url = `/api/articles/${documentId}`
      assert.equal((await api.send('PUT', `${url}?locale=fr`, { data: { title: 'B' } })).status, 200)
      for (const query of ['locale[]=fr&locale[]=en', 'locale=en&locale=fr', 'locale[0]=*&locale[1]=en']) {
        const { error } = (await api.send('DELETE', `${url}?${query}`)).json()
        assert.equal(error.status, 400, query)
        assert.match(error.message, /locale/)
      }
      for (const locale of ['en', 'fr'])
        assert.equal((await api.send('GET', `${url}?locale=${locale}`)).status, 200, locale)
      assert.equal((await api.send('DELETE', `${url}?locale[]=fr`)).status, 204)
      assert.equal((await api.send('GET', `${url}?locale=fr`)).status, 404)
      assert.equal((await api.send('GET', url)).status, 200)
    })

    it('refuses an unknown parameter with strictParams and deletes nothing', async () => {
      const { documentId } = (await api.send('POST', '/api/tags', { data: { label: 'A' } })).json().data
      const { error } = (await api.send('DELETE', `/api/tags/${documentId}?loclae=fr`)).json()
      assert.equal(error.status, 400)
      assert.match(error.message, /loclae/)
      assert.equal((await api.send('GET', `/api/tags/${documentId}`)).status, 200)
    })
  })

  it('strictParams applies to users, roles and files', async () => {
    for (const [method, path, known] of [
      ['POST', '/api/upload', '?locale=en'],
      ['DELETE', '/api/upload/files/7', ''],
      ['GET', '/api/upload/folders', '?explain=true'],
      ['GET', '/api/upload/files', '?start=0&limit=1&folder=/&kind=image&unused=true'],
      ['GET', '/api/users', '?start=0&limit=1'],
      ['GET', '/api/users/count', '?start=0&limit=1'],
      ['DELETE', '/api/users/77', ''],
      ['GET', '/api/users-permissions/roles', ''],
    ] as const) {
      const { error } = (await api.send(method, `${path}?loclae=fr`)).json()
      assert.deepEqual([error.status, error.details.key], [400, 'loclae'], path)
      const { text } = await api.send(method, path + known)
      assert.doesNotMatch(text, /parameter|key/, path)
    }
  })

  it('a write with an invalid query changes nothing, DELETE included', async () => {
    const { documentId } = (await api.send('POST', '/api/articles', { data: { title: 'A' } })).json().data
    assert.equal((await api.send('PUT', '/api/homepage', { data: { headline: 'A' } })).status, 200)
    for (const url of [`/api/articles/${documentId}`, '/api/homepage']) {
      for (const query of ['fields=zz', 'populate=qq', 'filters[no]=1', 'sort=no', 'status=zz']) {
        assert.equal((await api.send('DELETE', `${url}?${query}`)).status, 400, query)
      }
      assert.equal((await api.send('GET', url)).status, 200)
      assert.equal((await api.send('DELETE', `${url}?fields=id&populate=*`)).status, 204)
      assert.equal((await api.send('GET', url)).status, 404)
    }
  })

  it('an action refuses an unknown status', async () => {
    const { documentId } = (
      await api.send('POST', '/api/articles?status=draft', { data: { title: 'A' } })
    ).json().data
    const act = (query: string) => api.send('POST', `/api/articles/${documentId}/actions/publish${query}`)
    assert.equal((await act('?status=zzz')).status, 400)
    assert.equal((await api.send('GET', `/api/articles/${documentId}`)).status, 404)
    assert.equal((await act('?status=draft')).status, 200)
  })

  it('a single type has the draft actions under its own path, and no others', async () => {
    const act = (name: string, action: string) => api.send('POST', `/api/${name}/actions/${action}`)
    assert.equal((await act('homepage', 'publish')).status, 404)
    assert.equal(
      (await api.send('PUT', '/api/homepage?status=draft', { data: { headline: 'A' } })).status,
      200,
    )
    assert.equal((await api.send('GET', '/api/homepage')).status, 404)
    assert.equal((await act('homepage', 'publish')).json().data.headline, 'A')
    assert.equal((await act('homepage', 'unpublish')).status, 200)
    assert.equal((await api.send('GET', '/api/homepage')).status, 404)
    for (const [name, action] of [
      ['homepage', 'burn'],
      ['setting', 'publish'],
      ['articles', 'publish'],
    ])
      assert.equal((await act(String(name), String(action))).status, 404, `${name} ${action}`)
    assert.equal((await api.send('GET', '/api/homepage/actions/publish')).status, 405)
  })
})
