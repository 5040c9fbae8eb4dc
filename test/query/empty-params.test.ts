/** An empty parameter has the same meaning as an absent one. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

onEachEngine((engine) => {
  let api: ReferenceServer
  let documentId: string
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl())
    for (const name of ['Ada', 'Bea']) {
      const { status, text } = await api.send('POST', '/api/restaurants', { data: { name, stars: 3 } })
      assert.equal(status, 201, text)
      documentId = JSON.parse(text).data.documentId
    }
  })
  after(() => api?.close())

  const get = async (path: string) => {
    const { status, text } = await api.send('GET', path)
    assert.equal(status, 200, `${path}: ${text}`)
    return JSON.parse(text)
  }

  for (const param of ['populate', 'fields', 'sort', 'status', 'locale']) {
    it(`an empty ${param} is the same as none in a list and in a single document`, async () => {
      assert.deepEqual(await get(`/api/restaurants?${param}=`), await get('/api/restaurants'))
      const one = `/api/restaurants/${documentId}`
      assert.deepEqual(await get(`${one}?${param}=`), await get(one))
    })
  }

  it('empty parameters are ignored together, and beside others', async () => {
    assert.deepEqual(
      await get('/api/restaurants?populate=&fields=&sort=&status=&locale=&pagination[pageSize]=1'),
      await get('/api/restaurants?pagination[pageSize]=1'),
    )
  })

  it('empty options inside populate are ignored', async () => {
    const plain = await get('/api/restaurants?populate[categories]=true')
    for (const option of ['populate', 'fields', 'sort'])
      assert.deepEqual(await get(`/api/restaurants?populate[categories][${option}]=`), plain, option)
  })

  it('an empty locale does not hide what a filter on the locale finds', async () => {
    const filter = 'filters[locale][$notNull]=true'
    assert.deepEqual(await get(`/api/articles?locale=&${filter}`), await get(`/api/articles?${filter}`))
  })
})
