/** One statement per read: whatever a GET asks for, the database is asked once; a refused one does not ask at all. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Client, createClient } from '../reference/client.ts'
import { Memory } from '../reference/memory.ts'
import { loadRecording, PROJECT, type Step } from '../reference/recording.ts'
import { seedServer } from '../reference/replay.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

const recording = loadRecording()

/** Every recorded read of a content-type. */
const recordedReads = recording.cases
  .filter(({ writes }) => !writes)
  .flatMap(({ name, steps }) => steps.map((step) => ({ name, step })))
  .filter(({ step: { method, path } }) => method === 'GET' && recording.typeAt(path))

const deep = (levels: number) => {
  const names = ['chef', 'restaurants']
  const inner = Array.from({ length: levels }, (_, index) => `[populate][${names[index % 2]}]`)
  return `/api/restaurants?${inner.join('').slice(1).replace('populate]', 'populate')}=true&pagination[pageSize]=3`
}

const ownReads: readonly (readonly [sentence: string, url: string])[] = [
  ['a page with its count', '/api/restaurants?pagination[page]=2&pagination[pageSize]=3'],
  ['a page without count', '/api/restaurants?pagination[withCount]=false'],
  [
    'a page by cursor',
    '/api/restaurants?pagination[cursor]=start&pagination[pageSize]=3&sort=name&populate=*',
  ],
  [
    'a page by cursor with its count',
    '/api/restaurants?pagination[cursor]=start&pagination[withCount]=true&sort=chef.name:desc',
  ],
  ['everything one level deep', '/api/restaurants?populate=*'],
  [
    'three levels of relations',
    '/api/restaurants?populate[chef][populate][mentor][populate][restaurants]=true',
  ],
  ['twelve levels of relations', deep(12)],
  [
    'components with relations and media in them',
    '/api/restaurants?populate[menu][populate][items][populate]=dish&populate[menu][populate][photo]=true&populate[address][populate]=*',
  ],
  ['a zone with all that is in it', '/api/restaurants?populate[zone][populate]=*'],
  [
    'a zone with different things from each component',
    '/api/restaurants?populate[zone][on][block.faq][populate]=entries&populate[zone][on][block.dish-highlight][populate][dishes][populate]=chef',
  ],
  ['other locales', '/api/restaurants?populate[localizations][populate]=categories'],
  ['all locales at once', '/api/restaurants?locale=*&populate=localizations'],
  ['drafts', '/api/restaurants?status=draft&populate=*'],
  ['polymorphic relations', '/api/tags?populate=related'],
  [
    'a filter four relations deep',
    '/api/categories?filters[restaurants][chef][mentor][restaurants][name][$contains]=a',
  ],
  [
    'a sort through relations and components',
    '/api/restaurants?sort[0]=chef.mentor.name&sort[1]=address.city',
  ],
  ['counts of relations', '/api/restaurants?populate[categories][count]=true&populate[branches][count]=true'],
  [
    'filters, sort and limit inside populate',
    '/api/restaurants?populate[categories][filters][rank][$gt]=1&populate[categories][sort]=name&populate[categories][limit]=2',
  ],
  ['a search', '/api/restaurants?_q=alba'],
  ['a narrowing by publication', '/api/restaurants?status=draft&publicationFilter=modified'],
  ['a single type', '/api/homepage?populate=*'],
  ['the documents that show a file', '/api/restaurants?populate[cover][populate]=related'],
]

onEachEngine((engine) => {
  let running: TestServer
  let client: Client
  let seeded: Memory

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), { cache: { enabled: false } })
    client = createClient(running.base, recording)
    seeded = await seedServer(client, recording)
  })
  after(() => running?.close())

  /** The statements of a request whose caller is already known. */
  async function statementsOf(step: Step) {
    await client.send(step, new Memory(seeded))
    const before = running.server.store.statements.reads
    const { status } = await client.send(step, new Memory(seeded))
    return { status, statements: running.server.store.statements.reads - before }
  }

  type Counted = Awaited<ReturnType<typeof statementsOf>>

  /**
   * The same, counted again when it is not right: the server may have looked meanwhile whether another process has
   * changed the model. A request that asks twice does so again.
   */
  async function settled(step: Step, isRight: (counted: Counted) => boolean) {
    const first = await statementsOf(step)
    return isRight(first) ? first : statementsOf(step)
  }

  for (const [sentence, url] of ownReads) {
    it(`asks once for ${sentence}`, async () => {
      const [path = '', query = ''] = url.split('?')
      const step: Step = { method: 'GET', path, query, auth: 'full' }
      const counted = await settled(step, ({ statements }) => statements === 1)
      assert.deepEqual(counted, { status: 200, statements: 1 })
    })
  }

  it('asks once for the page behind a cursor, and not at all for a cursor of another query', async () => {
    const read = async (query: string) =>
      await client.send({ method: 'GET', path: '/api/restaurants', query, auth: 'full' }, new Memory(seeded))
    const query = 'sort=chef.name,stars:desc&pagination[pageSize]=2'
    const { body } = await read(`${query}&pagination[cursor]=start`)
    const cursor = /"nextCursor":"([\w-]+)"/.exec(JSON.stringify(body))?.[1]
    const before = running.server.store.statements.reads
    assert.equal((await read(`${query}&pagination[cursor]=${cursor}`)).status, 200)
    assert.equal(running.server.store.statements.reads - before, 1)
    assert.equal((await read(`sort=name&pagination[cursor]=${cursor}`)).status, 400)
    assert.equal(running.server.store.statements.reads - before, 1)
  })

  it('asks once, counts included, when a count is taken for the first time', async () => {
    const before = running.server.store.statements.reads
    const query = 'filters[stars][$gte]=2&filters[name][$ne]=never asked before'
    const { status } = await client.send(
      { method: 'GET', path: '/api/restaurants', query, auth: 'full' },
      new Memory(seeded),
    )
    assert.deepEqual([status, running.server.store.statements.reads - before], [200, 1])
  })

  it('asks once for every recorded read, and not at all for a refused one', async () => {
    for (const { name, step } of recordedReads) {
      const isRight = ({ status, statements }: Counted) =>
        status === 404 ? statements <= 1 : statements === (status === 200 ? 1 : 0)
      const counted = await settled(step, isRight)
      assert.ok(isRight(counted), `${name}: ${counted.status} with ${counted.statements} statements`)
    }
  })

  it('asks not at all for a document under a number, and still says what is wrong with the request', async () => {
    for (const [query, status] of [
      ['', 404],
      ['populate=*', 404],
      ['populate=nothing', 400],
      ['status=old', 400],
    ] as const) {
      const step: Step = { method: 'GET', path: '/api/restaurants/1', query, auth: 'full' }
      assert.deepEqual(await settled(step, ({ statements }) => statements === 0), { status, statements: 0 })
    }
  })
})
