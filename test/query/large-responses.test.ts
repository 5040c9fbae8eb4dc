/** A read is refused before it runs if its populated relations would multiply its documents beyond the limit. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type Counts, fillNotesAndTags, notesAndTags } from '../support/notes-and-tags.ts'
import { openProject, type ProjectServer, projectFolder } from '../support/project-server.ts'

const COUNTS: Counts = { notes: 300, tags: 30, tagsPerNote: 5 }
/** Small enough for the limits to be exceeded by little content: ten times as many are refused. */
const READ_ROWS = 500

/** `populate` of a number of levels, tags and notes in turn. */
const levels = (count: number) =>
  `populate=${Array.from({ length: count }, (_, level) => (level % 2 === 0 ? 'tags' : 'notes')).join('.')}`

onEachEngine((engine) => {
  let project: ProjectServer
  let admin = ''
  before(async () => {
    const config = {
      // Background jobs read too, and would be counted.
      ...{ events: { enabled: false }, audit: { enabled: false }, history: { enabled: false } },
      ...{ schedules: { enabled: false }, releases: { enabled: false }, webhooks: { enabled: false } },
      limits: { readRows: READ_ROWS },
    }
    project = await openProject(projectFolder(notesAndTags), await engine.freshUrl(), { config })
    await fillNotesAndTags(project.server, COUNTS)
    admin = (await project.server.access.tokens.create({ name: 'explaining', kind: 'admin' })).secret
  })
  after(() => project?.remove())

  const get = (path: string) => project.request('GET', path)
  const statusOf = async (path: string) => (await get(path)).status

  async function explained(query: string): Promise<{ rows: number; limit: number; multiplier: unknown }> {
    const headers = { authorization: `Bearer ${admin}` }
    const response = await fetch(`${project.base}/api/notes?explain=true&${query}`, { headers })
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return JSON.parse(text).data.estimate
  }

  /** The documents in a response, those that are populated included. */
  function countDocuments(value: unknown): number {
    if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + countDocuments(one), 0)
    if (typeof value !== 'object' || value === null) return 0
    const inner = Object.values(value).reduce((sum: number, one) => sum + countDocuments(one), 0)
    return inner + ('documentId' in value ? 1 : 0)
  }

  it('a read that multiplies is refused before it runs, with the relation and what would help', async () => {
    await statusOf(`/api/notes?${levels(2)}`)
    const { store } = project.server
    const reads = store.statements.reads
    const { status, text, at } = await get(`/api/notes?${levels(4)}`)
    assert.equal(status, 400, text)
    assert.equal(store.statements.reads, reads)
    assert.equal(at('error', 'name'), 'ValidationError')
    assert.match(
      String(at('error', 'message')),
      /about \d+ documents, and at most 500 are allowed \(limits\.readRows\): tags\.notes leads to about \d+ documents from each one\. Limit it, such as with populate\[tags\]\[populate\]\[notes\]\[limit\]=5, .* smaller page$/,
    )
    assert.deepEqual(at('error', 'details', 'path'), 'tags.notes')
  })

  it('the suggested limit and a smaller page help', async () => {
    const limited =
      'populate[tags][populate][notes][limit]=5&populate[tags][populate][notes][populate][tags]=true'
    assert.equal(await statusOf(`/api/notes?${limited}`), 200)
    assert.equal(await statusOf(`/api/notes?${levels(3)}&pagination[pageSize]=2`), 200)
    assert.equal(await statusOf(`/api/notes?${levels(3)}`), 400)
    assert.equal(await statusOf(`/api/notes?${levels(3)}&filters[title]=note 7`), 200)
  })

  it('the number of levels is not limited, only what they lead to', async () => {
    assert.equal(await statusOf(`/api/notes/note7?${levels(3)}`), 200)
    assert.equal(await statusOf(`/api/notes/note7?${levels(7)}`), 400)
    const path = Array.from({ length: 20 }, (_, level) => (level % 2 === 0 ? '[tags]' : '[notes]'))
    const limits = path.map((_, level) => `populate${path.slice(0, level + 1).join('[populate]')}[limit]=1`)
    const { status, text } = await get(`/api/notes/note7?${limits.join('&')}`)
    assert.equal(status, 200, text.slice(0, 300))
    assert.equal(countDocuments(JSON.parse(text).data), 21)
  })

  it('nothing is written by a write whose response would be too large', async () => {
    const body = { data: { title: 'changed' } }
    const refused = await project.request('PUT', `/api/notes/note7?${levels(7)}`, body)
    assert.equal(refused.status, 400, refused.text)
    assert.equal((await get('/api/notes/note7')).at('data', 'title'), 'note 7')
    assert.equal((await project.request('PUT', '/api/notes/note8?populate=tags', body)).status, 200)
  })

  it('the estimate of a read is close to its response, for drafts and other locales too', async () => {
    const queries = [
      levels(1),
      levels(2),
      `${levels(2)}&status=draft`,
      `${levels(2)}&locale=de`,
      'fields=title',
    ]
    for (const query of [...queries, 'populate[tags][populate][notes][limit]=2']) {
      const { status, text } = await get(`/api/notes?pagination[pageSize]=10&${query}`)
      assert.equal(status, 200, text)
      const real = countDocuments(JSON.parse(text).data)
      const { rows, limit } = await explained(`pagination[pageSize]=10&${query}`)
      assert.ok(rows > real / 2 && rows < real * 2, `${query}: ${rows} for ${real}`)
      assert.equal(limit, READ_ROWS)
    }
  })

  it('the explanation of a read that would be refused shows its estimate', async () => {
    const { rows, multiplier } = await explained(levels(6))
    assert.ok(rows > READ_ROWS * 10)
    assert.ok(multiplier)
  })
})
