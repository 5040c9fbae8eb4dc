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

const MAX_ITEMS = 100
const GROUPS = ['even', 'odd']

const item = {
  rank: { type: 'integer' },
  group: { type: 'relation', relation: 'manyToOne', target: 'api::group.group', inversedBy: 'items' },
}
const group = {
  name: string,
  items: { type: 'relation', relation: 'oneToMany', target: 'api::item.item', mappedBy: 'group' },
}

interface Item {
  readonly documentId: string
  readonly rank: number
  readonly group: { readonly name: string } | null
}

/** Lists of items: as a filter, and as a predicate. */
const lists: readonly { readonly filter: string; readonly includes: (item: Item) => boolean }[] = [
  { filter: '', includes: () => true },
  { filter: 'filters[rank][$lt]=50&', includes: ({ rank }) => rank < 50 },
  ...GROUPS.map((name) => ({
    filter: `filters[group][name]=${name}&`,
    includes: ({ group }: Item) => group?.name === name,
  })),
  {
    filter: 'filters[group][name]=odd&filters[rank][$gte]=20&',
    includes: ({ group, rank }) => group?.name === 'odd' && rank >= 20,
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
  let project: ProjectServer
  let other: ProjectServer
  let groups: string[]
  /** The position of the last write: without it, a server may not know of a write elsewhere yet. */
  let position: string | undefined

  before(async () => {
    const folder = projectFolder({
      [typeFile('item')]: collection('item', item, { options: { draftAndPublish: true } }),
      [typeFile('group')]: collection('group', group),
    })
    const url = await engine.freshUrl()
    const config = { cache: { enabled: false } }
    project = await openProject(folder, url, { config })
    other = await openProject(folder, url, { config })
    groups = await Promise.all(GROUPS.map((name) => create(project, 'groups', { name })))
  })
  after(async () => {
    await other?.close()
    await project?.remove()
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

  async function listOf(query: string): Promise<Item[]> {
    const response = await project.request('GET', `/api/items?${query}`, undefined, position)
    assert.equal(response.status, 200, response.text)
    const data = response.at('data')
    assert.ok(Array.isArray(data))
    return data
  }

  async function change(writer: ProjectServer, items: string[], operation: Write) {
    if (operation.kind === 'create') {
      const data = { rank: operation.rank, group: groups[operation.group] }
      items.push(await create(writer, 'items', data, operation.draft ? '?status=draft' : ''))
      return
    }
    const [id = ''] = items.splice(operation.which % items.length, 1)
    if (operation.kind === 'delete') {
      await write(writer, 'DELETE', `/api/items/${id}`)
      return
    }
    items.push(id)
    if (operation.kind === 'unpublish') await write(writer, 'POST', `/api/items/${id}/actions/unpublish`)
    else await write(writer, 'PUT', `/api/items/${id}`, { data: { group: groups[operation.group] } })
  }

  it('while other clients write', async () => {
    const property = fc.asyncProperty(
      fc.array(pageArbitrary, { minLength: 1, maxLength: 5 }),
      fc.array(fc.tuple(writeArbitrary, fc.boolean()), { maxLength: 12 }),
      async (pages, writes) => {
        for (const { documentId } of await listOf(`status=draft&pagination[limit]=${MAX_ITEMS}`))
          await write(project, 'DELETE', `/api/items/${documentId}`)
        const items: string[] = []
        for (let rank = 0; rank < 20; rank++)
          items.push(await create(project, 'items', { rank: rank * 5, group: groups[rank % 2] }))
        const checkAll = async () => {
          for (const { list, status, more, start, limit } of pages) {
            const all = await listOf(`status=${status}&populate=group&pagination[limit]=${MAX_ITEMS}`)
            const expected = all.filter(list.includes).slice(start, start + limit)
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
          await change(elsewhere ? other : project, items, operation)
          await checkAll()
        }
      },
    )
    await fc.assert(property, { numRuns: 12 })
  })
})
