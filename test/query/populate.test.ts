/** `populate` through polymorphic relations, and with `count`. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

onEachEngine((engine) => {
  let api: ReferenceServer
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl())
    const create = async (plural: string, data: object) =>
      (await api.send('POST', `/api/${plural}`, { data })).json().data.documentId
    const chef = await create('chefs', { name: 'Nora' })
    const dish = await create('dishes', { name: 'Soup', price: 4, chef })
    const article = await create('articles', { title: 'Soups', related_dish: dish })
    const related = [
      { __type: 'api::dish.dish', documentId: dish },
      { __type: 'api::article.article', documentId: article },
    ]
    await create('tags', { label: 'warm', related })
  })
  after(() => api?.close())

  it('a dotted path through a polymorphic relation applies to the related documents that have the attribute', async () => {
    const { status, text } = await api.send('GET', '/api/tags?populate=related.chef,related.related_dish')
    assert.equal(status, 200)
    const [tag] = JSON.parse(text).data
    assert.deepEqual(
      tag.related.map((one: { chef?: { name: string }; related_dish?: { name: string } }) => [
        one.chef?.name,
        one.related_dish?.name,
      ]),
      [
        ['Nora', undefined],
        [undefined, 'Soup'],
      ],
    )
  })

  it('a count is the same whatever other options are given', async () => {
    const { status, json } = await api.send(
      'GET',
      '/api/chefs?populate[signature_dishes][count]=true&populate[signature_dishes][filters][name]=Soup&populate[signature_dishes][limit]=5&populate[signature_dishes][populate]=category',
    )
    assert.equal(status, 200)
    assert.match(JSON.stringify(json().data), /"signature_dishes":\{"count":1\}/)
  })

  it('the count of a zone is the number of entries that would be returned', async () => {
    const zone = ['quote', 'faq', 'quote'].map((name) => ({
      __component: `block.${name}`,
      ...(name === 'quote' ? { text: 'Q' } : { title: 'F' }),
    }))
    const made = await api.send('POST', '/api/restaurants', { data: { name: 'Zone', zone } })
    const path = `/api/restaurants/${made.json().data.documentId}?populate[zone][count]=true`
    const cases: readonly (readonly [on: string, count: number])[] = [
      ['', 3],
      ['&populate[zone][on][block.quote]=true', 2],
      ['&populate[zone][on][block.faq][populate]=entries', 1],
      ['&populate[zone][on][block.quote]=true&populate[zone][on][block.faq]=true', 3],
      ['&populate[zone][on][block.faq]=false', 0],
    ]
    for (const [on, count] of cases)
      assert.deepEqual((await api.send('GET', path + on)).json().data.zone, { count }, on)
  })
})
