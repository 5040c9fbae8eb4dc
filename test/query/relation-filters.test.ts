/** Filters on a relation itself, by id or with `$null`, alone and inside `$and`, `$or` and `$not`. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

onEachEngine((engine) => {
  let api: ReferenceServer
  const ids = new Map<string, string>()
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl())
    const create = async (plural: string, name: string, data: object = {}) => {
      const { status, text, json } = await api.send('POST', `/api/${plural}`, { data: { name, ...data } })
      assert.equal(status, 201, text)
      ids.set(name, json().data.documentId)
    }
    const id = (name: string) => ids.get(name)
    for (const name of ['Ana', 'Bo', 'Cy']) await create('chefs', name, { awards: name.length })
    for (const name of ['Fish', 'Meat']) await create('categories', name, { rank: name === 'Fish' ? 1 : 2 })
    await create('restaurants', 'Alba', {
      chef: id('Ana'),
      categories: [id('Fish')],
      address: { street: 'Quay 1' },
    })
    await create('restaurants', 'Blue', { chef: id('Bo'), categories: [id('Fish'), id('Meat')] })
    await create('restaurants', 'Cove', { chef: id('Cy') })
    await create('restaurants', 'Dune')
  })
  after(() => api?.close())

  /** The first letters of the restaurants that a filter finds; names in braces stand for documentIds. */
  const found = async (query: string) => {
    const filled = query.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids.get(name) ?? '')
    const { status, text } = await api.send('GET', `/api/restaurants?sort=name&fields=name&${filled}`)
    assert.equal(status, 200, `${query}: ${text}`)
    return JSON.parse(text)
      .data.map(({ name }: { name: string }) => name[0])
      .join('')
  }

  const cases: readonly (readonly [query: string, expected: string])[] = [
    ['filters[chef][$not][$null]=true', 'ABC'],
    ['filters[chef][$not][$notNull]=true', 'D'],
    ['filters[chef][$not][$not][$null]=true', 'D'],
    ['filters[chef][$not][$in][0]={Ana}&filters[chef][$not][$in][1]={Bo}', 'C'],
    ['filters[chef][$not]={Ana}', 'BC'],
    ['filters[chef][$not][$ne]={Ana}', 'A'],
    ['filters[chef][$or][0][$null]=true&filters[chef][$or][1][name]=Bo', 'BD'],
    ['filters[chef][$or][0]={Ana}&filters[chef][$or][1][$eq]={Cy}', 'AC'],
    ['filters[chef][$and][0][$notNull]=true&filters[chef][$and][1][$not][$eq]={Bo}', 'AC'],
    ['filters[chef][$not][$or][0][$null]=true&filters[chef][$not][$or][1][name]=Bo', 'AC'],
    ['filters[chef][$or][$null]=true&filters[chef][$or][name]=Ana', 'AD'],
    ['filters[address][$not][$null]=true', 'A'],
    ['filters[categories][$not][$null]=true', 'AB'],
    // As with $notIn: there is something related that is none of these.
    ['filters[categories][$not][$in][0]={Fish}', 'B'],
    ['filters[categories][$notIn][0]={Fish}', 'B'],
  ]
  for (const [query, expected] of cases)
    it(`a filter on a relation works inside logical operators: ${query}`, async () =>
      assert.equal(await found(query), expected))

  it('several conditions on a related document must hold for the same document, also beside a condition on the relation', async () => {
    const both = 'filters[categories][$and][0][name]=Fish&filters[categories][$and][1][rank]=2'
    assert.equal(await found(both), '')
    assert.equal(await found(`${both}&filters[categories][$and][2][$notNull]=true`), '')
    assert.equal(
      await found('filters[categories][$and][0][name]=Meat&filters[categories][$and][1]={Fish}'),
      'B',
    )
  })

  it('an unknown operator on a relation is rejected', async () => {
    for (const query of [
      'filters[chef][$not][$like]=a',
      'filters[chef][$or][0][$null]=maybe',
      'filters[chef][$or]=5',
      'filters[address][$not]=5',
    ])
      assert.equal((await api.send('GET', `/api/restaurants?${query}`)).status, 400, query)
  })
})
