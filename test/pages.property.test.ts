/** Pages far into a list, asked for again and again between writes: each is the part of the whole list that it should be. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from './engines.ts'
import { collection, openWorld, projectFolder, string, typeFile, type World } from './live/world.ts'

const MOST = 100
const GROUPS = ['even', 'odd']

const thing = {
  rank: { type: 'integer' },
  group: { type: 'relation', relation: 'manyToOne', target: 'api::group.group', inversedBy: 'things' },
}
const group = {
  name: string,
  things: { type: 'relation', relation: 'oneToMany', target: 'api::thing.thing', mappedBy: 'group' },
}

const listArbitrary = fc.record({
  filter: fc.constantFrom(
    '',
    'filters[rank][$lt]=50&',
    ...GROUPS.map((name) => `filters[group][name]=${name}&`),
    ...GROUPS.map((name) => `filters[group][name]=${name}&filters[rank][$gte]=20&`),
  ),
  status: fc.constantFrom('draft', 'published'),
  populate: fc.constantFrom('', '&populate=group', '&fields=rank'),
  count: fc.boolean(),
})
const stepArbitrary = fc.oneof(
  fc.record({ kind: fc.constant('create'), group: fc.nat(1), rank: fc.nat(99), draft: fc.boolean() }),
  fc.record({ kind: fc.constant('delete'), which: fc.nat() }),
  fc.record({ kind: fc.constant('unpublish'), which: fc.nat() }),
  fc.record({ kind: fc.constant('move'), which: fc.nat(), group: fc.nat(1) }),
  fc.record({
    kind: fc.constant('read'),
    list: listArbitrary,
    start: fc.nat(12),
    limit: fc.integer({ min: 1, max: 6 }),
  }),
)

onEachEngine((engine) => {
  let world: World
  let other: World
  let groups: string[]

  before(async () => {
    const folder = projectFolder({
      [typeFile('thing')]: collection('thing', thing, { options: { draftAndPublish: true } }),
      [typeFile('group')]: collection('group', group),
    })
    const url = await engine.freshUrl()
    const config = { cache: { enabled: false } }
    world = await openWorld(folder, url, { config })
    other = await openWorld(folder, url, { config })
    groups = await Promise.all(GROUPS.map((name) => create(world, 'groups', { name })))
  })
  after(async () => {
    await other?.close()
    await world?.remove()
  })

  async function create(server: World, plural: string, data: object, query = '') {
    const made = await server.ask('POST', `/api/${plural}${query}`, { data })
    assert.equal(made.status, 201, made.text)
    return String(made.at('data', 'documentId'))
  }

  async function listOf(query: string): Promise<unknown[]> {
    const answer = await world.ask('GET', `/api/things?${query}`)
    assert.equal(answer.status, 200, answer.text)
    const data = answer.at('data')
    assert.ok(Array.isArray(data))
    return data
  }

  it('whoever writes between them', async () => {
    const runs = fc.asyncProperty(
      fc.array(fc.tuple(stepArbitrary, fc.boolean()), { minLength: 10, maxLength: 50 }),
      async (steps) => {
        const things: string[] = []
        for (let rank = 0; rank < 20; rank++)
          things.push(await create(world, 'things', { rank: rank * 5, group: groups[rank % 2] }))
        for (const [step, elsewhere] of steps) {
          const writer = elsewhere ? other : world
          if ('list' in step) {
            const { filter, status, populate, count } = step.list
            const query = `${filter}status=${status}${populate}`
            const page = `${query}&pagination[start]=${step.start}&pagination[limit]=${step.limit}&pagination[withCount]=${count}`
            const expected = (await listOf(`${query}&pagination[limit]=${MOST}`)).slice(
              step.start,
              step.start + step.limit,
            )
            for (let time = 0; time < 3; time++) assert.deepEqual(await listOf(page), expected, page)
          } else if ('rank' in step) {
            const data = { rank: step.rank, group: groups[step.group] }
            things.push(await create(writer, 'things', data, step.draft ? '?status=draft' : ''))
          } else {
            const [id] = things.splice(step.which % things.length, 1)
            if (id === undefined) continue
            if ('group' in step)
              await writer.ask('PUT', `/api/things/${id}`, { data: { group: groups[step.group] } })
            else if (step.kind === 'unpublish')
              await writer.ask('POST', `/api/things/${id}/actions/unpublish`)
            else await writer.ask('DELETE', `/api/things/${id}`)
            if (step.kind !== 'delete') things.push(id)
          }
        }
        for (const id of things) await world.ask('DELETE', `/api/things/${id}`)
        assert.deepEqual(await listOf('status=draft'), [])
      },
    )
    await fc.assert(runs, { numRuns: 15 })
  })
})
