/** Large queries are executed or refused, and do not slow down other requests. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

onEachEngine((engine) => {
  let api: ReferenceServer
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl())
  })
  after(() => api.close())

  const get = (query: string) => api.send('GET', `/api/restaurants?fields=name&${query}`)
  const repeated = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => make(index))

  it('a filter can follow the same relation many times', { timeout: 60_000 }, async () => {
    for (const path of ['[headquarters]', '[$not][headquarters]']) {
      const { status } = await get(`filters${path.repeat(9)}[name][$null]=true`)
      assert.equal(status, 200, path)
    }
    const deep = `filters${'[headquarters]'.repeat(18)}[name][$null]=true`
    assert.equal((await get(deep)).status, 200)
  })

  it('a filter can compare with as many values as a list can have', async () => {
    for (const attribute of ['[name]', '[chef][name]', '[headquarters][chef][name]'])
      for (const operator of ['[$gt]', '[$containsi]']) {
        const values = repeated(1_000, (index) => `filters${attribute}${operator}=v${index}`)
        const { status, text } = await api.getLongUrl(`/api/restaurants?${values.join('&')}`)
        assert.equal(status, 200, `${attribute}${operator} ${text.slice(0, 200)}`)
      }
  })

  it('a sort that repeats a field costs no more than one that names it once', async () => {
    const start = await get('sort=chef.name&pagination[pageSize]=1&pagination[cursor]=start')
    const again = repeated(200, () => 'chef.name:desc').join(',')
    const same = await get(`sort=chef.name,${again}&pagination[pageSize]=1&pagination[cursor]=start`)
    assert.deepEqual(same.json(), start.json())
  })

  it('a cursor with too many sort terms is refused', async () => {
    const names = ['name', 'slug', 'stars', 'cuisine', 'average_price', 'rating', 'visitors', 'is_open']
    const far = names.flatMap((name) => [`headquarters.${name}`, `headquarters.headquarters.${name}`])
    const walk = `sort=${[...names, ...far].join(',')}&pagination[pageSize]=1`
    assert.equal((await get(walk)).status, 200)
    const { error } = (await get(`${walk}&pagination[cursor]=start`)).json()
    assert.equal(error.status, 400)
    assert.match(error.message, /is too large/)
  })
})
