/** The error for a misspelled name suggests a similar one, if the caller may see it. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { request } from '../access/client.ts'
import { PROJECT, TOKENS } from '../access/project.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), { api: { rest: { strictParams: true } } })
  })
  after(() => running?.close())

  const messageOf = async (url: string, as?: string, body?: unknown) => {
    const response = await request(running.server, body ? 'POST' : 'GET', url, {
      ...(as !== undefined && { as }),
      ...(body !== undefined && { body }),
    })
    assert.equal(response.status, 400, `${url}: ${response.text}`)
    return String(response.at('error', 'message'))
  }

  it('a similar name is suggested in filters, sort, fields, populate, parameters and bodies', async () => {
    for (const [query, meant] of [
      ['filters[titel][$eq]=x', 'title'],
      ['filters[title][$contians]=x', '$contains'],
      ['filters[$adn][0][title]=x', '$and'],
      ['filters[topic][nmae]=x', 'name'],
      ['sort=tilte', 'title'],
      ['sort=topci.name', 'topic'],
      ['sort=createdat', 'createdAt'],
      ['fields=tite', 'title'],
      ['populate=topc', 'topic'],
      ['populate[topic][feilds]=name', 'fields'],
      ['populate[card][fields]=lable', 'label'],
      ['pagination[pagesize]=3', 'pageSize'],
      ['filter[title]=x', 'filters'],
    ] as const)
      assert.match(
        await messageOf(`/api/notes?${query}`, TOKENS.full),
        new RegExp(`; did you mean "${meant.replace('$', '\\$')}"\\?$`),
        query,
      )
    for (const [data, meant] of [
      [{ titel: 'x' }, 'title'],
      [{ title: 'x', card: { lable: 'y' } }, 'label'],
    ] as const)
      assert.match(
        await messageOf('/api/notes', TOKENS.full, { data }),
        new RegExp(`did you mean "${meant}"`),
      )
  })

  it('a name that is private, hidden or too different is never suggested', async () => {
    for (const query of [
      'filters[secrt]=x',
      'sort=secrets',
      'fields=levl',
      'populate=shadwo',
      'filters[pinn]=1',
      'filters[topic][kye]=x',
      'populate[card][fields]=cod',
      'filters[somethingElse]=x',
    ])
      assert.doesNotMatch(await messageOf(`/api/notes?${query}`, TOKENS.full), /did you mean/, query)
    assert.doesNotMatch(await messageOf('/api/notes?populate=vualt'), /did you mean/)
    for (const data of [{ secrt: 'x' }, { card: { codee: 'y' } }])
      assert.doesNotMatch(await messageOf('/api/notes', TOKENS.full, { data }), /did you mean/)
  })
})
