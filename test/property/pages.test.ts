/** Pages far into a list, read repeatedly between writes, are always the right part of the whole list. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../support/engines.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  string,
  typeFile,
} from '../support/project-server.ts'

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

interface Thing {
  readonly documentId: string
  readonly rank: number
  readonly group: { readonly name: string } | null
}

/** Which things a list is of: as a filter, and as anybody would say it. */
const lists: readonly { readonly filter: string; readonly holds: (thing: Thing) => boolean }[] = [
  { filter: '', holds: () => true },
  { filter: 'filters[rank][$lt]=50&', holds: ({ rank }) => rank < 50 },
  ...GROUPS.map((name) => ({
    filter: `filters[group][name]=${name}&`,
    holds: ({ group }: Thing) => group?.name === name,
  })),
  {
    filter: 'filters[group][name]=odd&filters[rank][$gte]=20&',
    holds: ({ group, rank }) => group?.name === 'odd' && rank >= 20,
  },
]

const pageArbitrary = fc.record({
  list: fc.constantFrom(...lists),
  status: fc.constantFrom('draft', 'published'),
  more: fc.constantFrom('', '&populate=group', '&fields=rank', '&pagination[withCount]=false'),
  start: fc.nat(12),
  limit: fc.integer({ min: 1, max: 6 }),
})
const writeArbitrary = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    group: fc.nat(1),
    rank: fc.nat(99),
    draft: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('delete' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('unpublish' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('move' as const), which: fc.nat(), group: fc.nat(1) }),
)

type Write = typeof writeArbitrary extends fc.Arbitrary<infer Value> ? Value : never

onEachEngine((engine) => {
  let world: ProjectServer
  let other: ProjectServer
  let groups: string[]
  /** The position of the last write: without it, a server may not know of a write elsewhere yet. */
  let position: string | undefined

  before(async () => {
    const folder = projectFolder({
      [typeFile('thing')]: collection('thing', thing, { options: { draftAndPublish: true } }),
      [typeFile('group')]: collection('group', group),
    })
    const url = await engine.freshUrl()
    const config = { cache: { enabled: false } }
    world = await openProject(folder, url, { config })
    other = await openProject(folder, url, { config })
    groups = await Promise.all(GROUPS.map((name) => create(world, 'groups', { name })))
  })
  after(async () => {
    await other?.close()
    await world?.remove()
  })

  async function write(server: ProjectServer, ...request: Parameters<ProjectServer['request']>) {
    const response = await server.request(...request)
    position = response.position
    return response
  }

  async function create(server: ProjectServer, plural: string, data: object, query = '') {
    const made = await write(server, 'POST', `/api/${plural}${query}`, { data })
    assert.equal(made.status, 201, made.text)
    return String(made.at('data', 'documentId'))
  }

  async function listOf(query: string): Promise<Thing[]> {
    const response = await world.request('GET', `/api/things?${query}`, undefined, position)
    assert.equal(response.status, 200, response.text)
    const data = response.at('data')
    assert.ok(Array.isArray(data))
    return data
  }

  async function change(writer: ProjectServer, things: string[], operation: Write) {
    if (operation.kind === 'create') {
      const data = { rank: operation.rank, group: groups[operation.group] }
      things.push(await create(writer, 'things', data, operation.draft ? '?status=draft' : ''))
      return
    }
    const [id = ''] = things.splice(operation.which % things.length, 1)
    if (operation.kind === 'delete') {
      await write(writer, 'DELETE', `/api/things/${id}`)
      return
    }
    things.push(id)
    if (operation.kind === 'unpublish') await write(writer, 'POST', `/api/things/${id}/actions/unpublish`)
    else await write(writer, 'PUT', `/api/things/${id}`, { data: { group: groups[operation.group] } })
  }

  it('whoever writes between them', async () => {
    const property = fc.asyncProperty(
      fc.array(pageArbitrary, { minLength: 1, maxLength: 5 }),
      fc.array(fc.tuple(writeArbitrary, fc.boolean()), { maxLength: 12 }),
      async (pages, writes) => {
        for (const { documentId } of await listOf(`status=draft&pagination[limit]=${MOST}`))
          await write(world, 'DELETE', `/api/things/${documentId}`)
        const things: string[] = []
        for (let rank = 0; rank < 20; rank++)
          things.push(await create(world, 'things', { rank: rank * 5, group: groups[rank % 2] }))
        const checkAll = async () => {
          for (const { list, status, more, start, limit } of pages) {
            const all = await listOf(`status=${status}&populate=group&pagination[limit]=${MOST}`)
            const expected = all.filter(list.holds).slice(start, start + limit)
            const page = `${list.filter}status=${status}${more}&pagination[start]=${start}&pagination[limit]=${limit}`
            for (let time = 0; time < 2; time++)
              assert.deepEqual(
                (await listOf(page)).map(({ documentId }) => documentId),
                expected.map(({ documentId }) => documentId),
                page,
              )
          }
        }
        await checkAll()
        for (const [operation, elsewhere] of writes) {
          await change(elsewhere ? other : world, things, operation)
          await checkAll()
        }
      },
    )
    await fc.assert(property, { numRuns: 12 })
  })
})
