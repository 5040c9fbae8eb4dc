/** Changed documents wait to be added to their search index together with others. A search finds them all the time. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngineVersion } from '../support/engines.ts'
import {
  collection,
  openProject,
  type ProjectServer,
  projectFolder,
  typeFile,
} from '../support/project-server.ts'

const WRITERS = 6
const STEPS = 12
/** Text of which a few documents are enough to be added to the index. */
const LONG = Array.from({ length: 4_000 }, (_, index) => `word${(index * 7_919) % 4_003}`).join(' ')

const schema = collection(
  'note',
  { title: { type: 'string' }, body: { type: 'text' } },
  { options: { draftAndPublish: false, search: true } },
)

onEachEngineVersion((engine) => {
  let servers: readonly ProjectServer[]
  const serverAt = (index: number): ProjectServer => {
    const server = servers[index % servers.length]
    assert.ok(server)
    return server
  }

  before(async () => {
    const folder = projectFolder({ [typeFile('note')]: schema })
    const url = await engine.freshUrl()
    const config = { cache: { enabled: false } }
    servers = [await openProject(folder, url, { config }), await openProject(folder, url, { config })]
  })
  after(async () => {
    for (const server of servers ?? []) await server.close()
    await servers?.[0]?.remove()
  })

  const found = async (on: ProjectServer, text: string, position?: string) => {
    const {
      status,
      at,
      text: body,
    } = await on.request('GET', `/api/notes?_q=${text}&fields=title`, undefined, position)
    assert.equal(status, 200, body)
    const data = at('data')
    assert.ok(Array.isArray(data))
    return data.map(({ title }) => String(title))
  }
  const write = async (on: ProjectServer, method: 'POST' | 'PUT' | 'DELETE', path: string, data?: object) => {
    const response = await on.request(method, path, data && { data })
    assert.ok(response.status < 300, response.text)
    return response
  }

  it('a search of a content-type without documents finds nothing', async () => {
    assert.deepEqual(await found(serverAt(0), 'anything'), [])
  })

  it('a search finds exactly what several servers have written at the same time', async () => {
    const left: string[] = []
    const writeSome = async (writer: number) => {
      for (let step = 0; step < STEPS; step++) {
        const here = serverAt(step)
        const other = serverAt(step + 1)
        const [first, second] = ['a', 'b'].map((letter) => `unique${letter}w${writer}s${step}end`)
        assert.ok(first && second)
        const body = step % 3 === 0 ? LONG : 'short'
        const created = await write(here, 'POST', '/api/notes', { title: first, body })
        const id = String(created.at('data', 'documentId'))
        assert.deepEqual(await found(here, first.slice(1)), [first])
        assert.deepEqual(await found(other, first.slice(2), created.position), [first])
        const updated = await write(other, 'PUT', `/api/notes/${id}`, { title: second })
        assert.deepEqual(await found(other, first), [])
        assert.deepEqual(await found(here, second.slice(1), updated.position), [second])
        if (step % 4 > 0) left.push(second)
        else {
          await write(other, 'DELETE', `/api/notes/${id}`)
          assert.deepEqual(await found(other, second), [])
        }
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeSome(writer)))
    for (const title of left) assert.deepEqual(await found(serverAt(0), title.slice(1)), [title])
  })

  it('a write that is rolled back leaves the index as it was', async () => {
    const here = serverAt(0)
    await write(here, 'POST', '/api/notes', { title: 'waiting before', body: 'short' })
    const rename = `UPDATE notes SET a_title = 'overwritten ' || id, a_body = a_body || ' more'`
    await assert.rejects(
      here.server.store.write(async (transaction) => {
        await transaction.all({ sql: rename, parameters: [] })
        throw new Error('interrupted')
      }),
      /interrupted/,
    )
    assert.deepEqual(await found(here, 'overwritten'), [])
    assert.deepEqual(await found(here, 'aiting befor'), ['waiting before'])
    await write(here, 'POST', '/api/notes', { title: 'waiting afterwards', body: LONG })
    assert.deepEqual((await found(here, 'waiting')).toSorted(), ['waiting afterwards', 'waiting before'])
  })
})
