/**
 * Filters and sorts through to-many relations visit each document once, and not once for each path that leads to it. With
 * twelve hops the paths could never be followed one by one: that a request succeeds at all shows that they were not.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type Counts, fillNotesAndTags, notesAndTags, tagsOf } from '../support/notes-and-tags.ts'
import { openProject, type ProjectServer, projectFolder } from '../support/project-server.ts'

const COUNTS: Counts = { notes: 120, tags: 30, tagsPerNote: 5 }
const PAIRS = 6

/** `[tags][notes]`, repeated. */
const there = (pairs: number) => '[tags][notes]'.repeat(pairs)

/** The notes that share a tag with one of these notes. */
function neighbours(notes: ReadonlySet<number>): Set<number> {
  const tags = new Set([...notes].flatMap((note) => tagsOf(note, COUNTS)))
  const all = Array.from({ length: COUNTS.notes }, (_, note) => note)
  return new Set(all.filter((note) => tagsOf(note, COUNTS).some((tag) => tags.has(tag))))
}

const NEIGHBOURS_OF_7 = neighbours(new Set([7]))

onEachEngine((engine) => {
  let project: ProjectServer
  before(async () => {
    project = await openProject(projectFolder(notesAndTags), await engine.freshUrl())
    await fillNotesAndTags(project.server, COUNTS)
  })
  after(() => project?.remove())

  const read = async (query: string) => {
    const { status, text } = await project.request('GET', `/api/notes?fields=title&${query}`)
    assert.equal(status, 200, text)
    const { data, meta }: { data: { title: string }[]; meta: { pagination: { total: number } } } =
      JSON.parse(text)
    return { titles: data.map(({ title }) => title), total: meta.pagination.total }
  }
  const total = async (query: string) => (await read(query)).total

  it('the hops of a filter do not multiply', { timeout: 120_000 }, async () => {
    assert.equal(await total(`filters${there(1)}[title][$endsWithi]=%207`), NEIGHBOURS_OF_7.size)
    assert.equal(await total(`filters${there(2)}[title][$endsWithi]=%207`), neighbours(NEIGHBOURS_OF_7).size)
    assert.equal(await total(`filters${there(PAIRS)}[title][$containsi]=note`), COUNTS.notes)
    assert.equal(await total(`filters${there(PAIRS)}[title][$containsi]=zz`), 0)
    assert.equal(await total(`filters${there(PAIRS)}[tags][name][$containsi]=zz`), 0)
  })

  const contexts: readonly (readonly [name: string, query: (filter: string) => string, factor: number])[] = [
    ['drafts', (filter) => `status=draft&filters${filter}`, 1],
    ['another locale', (filter) => `locale=de&filters${filter}`, 1],
    ['all locales', (filter) => `locale=*&filters${filter}`, 2],
    ['$or', (filter) => `filters[$or][1][title]=none&filters[$or][0]${filter}`, 1],
    ['$and', (filter) => `filters[$and][1][title][$contains]=note&filters[$and][0]${filter}`, 1],
    ['$not twice', (filter) => `filters[$not][$not]${filter}`, 1],
    ['a selective filter', (filter) => `filters[title]=note 7&filters${filter}`, 1 / COUNTS.notes],
  ]
  describe('the same holds with', () => {
    for (const [name, query, factor] of contexts)
      it(name, { timeout: 120_000 }, async () => {
        const found = query(`${there(PAIRS)}[title][$containsi]`)
        assert.equal(await total(`${found}=note`), COUNTS.notes * factor)
        assert.equal(await total(`${found}=zz`), 0)
      })
  })

  it('a negated filter finds documents with a path to one that does not match', {
    timeout: 120_000,
  }, async () => {
    assert.equal(await total(`filters[$not]${there(PAIRS)}[title][$containsi]=note`), 0)
    assert.equal(await total(`filters[$not]${there(PAIRS)}[title][$containsi]=zz`), COUNTS.notes)
  })

  it('the hops of a filter inside populate do not multiply', { timeout: 120_000 }, async () => {
    const filter = `populate[tags][filters][notes]${there(PAIRS)}[title][$containsi]`
    const { text } = await project.request('GET', `/api/notes?pagination[pageSize]=3&${filter}=zz`)
    assert.deepEqual(
      JSON.parse(text).data.map(({ tags }: { tags: object[] }) => tags),
      [[], [], []],
    )
  })

  it('the hops of a sort do not multiply', { timeout: 120_000 }, async () => {
    const path = 'tags.notes.'.repeat(PAIRS)
    const inOrder = Array.from({ length: 25 }, (_, note) => `note ${note}`)
    for (const query of [`sort=${path}title`, `sort=${path}title:desc`, `sort=${path}title&locale=de`])
      assert.deepEqual((await read(query)).titles, inOrder, query)
    const twice = inOrder.flatMap((title) => [title, title]).slice(0, 25)
    assert.deepEqual((await read(`sort=${path}title&locale=*`)).titles, twice)
    const walk = await project.request('GET', `/api/notes?sort=${path}title&pagination[cursor]=start`)
    assert.equal(walk.status, 200, walk.text)
  })

  it('a sort by related values puts documents in the order of the smallest or largest of them', async () => {
    const best = (note: number, pick: 1 | -1) => {
      const titles = [...neighbours(new Set([note]))].map((one) => `note ${one}`)
      return titles.sort().at(pick === 1 ? 0 : -1) ?? ''
    }
    const order = (pick: 1 | -1) =>
      Array.from({ length: COUNTS.notes }, (_, note) => ({ note, value: best(note, pick) }))
        .sort((a, b) => pick * (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) || a.note - b.note)
        .slice(0, 25)
        .map(({ note }) => `note ${note}`)
    assert.deepEqual((await read('sort=tags.notes.title')).titles, order(1))
    assert.deepEqual((await read('sort=tags.notes.title:desc')).titles, order(-1))
    const some = 'filters[title][$contains]=note&sort=tags.notes.title'
    assert.deepEqual((await read(some)).titles, order(1))
  })
})
