/**
 * Paging by cursor through random lists gives exactly the list, forward and backward, and the same on both engines.
 * Concurrent writes neither repeat nor hide a document.
 *
 *   OCTAVO_PROPERTY_WORLDS=50 OCTAVO_PROPERTY_SEED=7 npm test -- test/property/cursors.test.ts
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Json } from '../reference/recording.ts'
import { bothEngines, onEachEngine, type TestEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { ApiClient } from './api-client.ts'
import { contentArbitrary, type Write } from './content.ts'
import { QueryGenerator } from './query-generator.ts'
import { modelArbitrary, projectFiles, type RandomModel, TOKEN } from './random-model.ts'
import type { ReadQuery } from './read-query.ts'
import { urlOf } from './url.ts'

const MODELS = Number(process.env.OCTAVO_PROPERTY_WORLDS ?? 4)
const QUERIES = Number(process.env.OCTAVO_PROPERTY_QUESTIONS ?? 25)
const WALKS = Number(process.env.OCTAVO_PROPERTY_WALKS ?? 30)
const SEED = Number(process.env.OCTAVO_PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31))

interface Seen {
  readonly documentId: string
}

interface Page {
  readonly data: readonly (Seen & Json)[]
  readonly meta: {
    readonly pagination: { readonly nextCursor: string | null; readonly previousCursor: string | null }
  }
}

type Read = (url: string) => Promise<Page>
type Side = 'nextCursor' | 'previousCursor'

/** All pages from a cursor to the end in one direction; `between` runs after each page. */
async function walk(
  read: Read,
  url: string,
  cursor: string,
  side: Side,
  between: (part: Page) => unknown = () => {},
) {
  const pages: Page[] = []
  for (let at: string | null = cursor; at !== null; at = pages.at(-1)?.meta.pagination[side] ?? null) {
    const part: Page = await read(`${url}${url.includes('?') ? '&' : '?'}pagination[cursor]=${at}`)
    pages.push(part)
    assert.ok(pages.length < 1_000, 'the walk does not end')
    await between(part)
  }
  return pages
}

describe(`paging by cursor gives the list (OCTAVO_PROPERTY_SEED=${SEED})`, () => {
  const engines = bothEngines()
  const arbitrary = modelArbitrary.chain((model) =>
    fc.record({ model: fc.constant(model), writes: contentArbitrary(model) }),
  )
  for (const [index, { model, writes }] of fc.sample(arbitrary, { seed: SEED, numRuns: MODELS }).entries()) {
    it(`on model ${index} with ${model.types.length} types and ${writes.length} writes`, () =>
      check(model, writes, engines))
  }
})

async function check(model: RandomModel, writes: readonly Write[], engines: readonly TestEngine[]) {
  const servers: TestServer[] = []
  try {
    for (const engine of engines) servers.push(await serve(projectFiles(model), await engine.freshUrl()))
    const clients = servers.map(({ base }) => new ApiClient(model, base))
    for (const client of clients) await client.write(writes)
    const lists = new Set(model.types.filter(({ single }) => !single).map(({ name }) => name))
    const queries = new QueryGenerator(model, [...new Set(writes.map(({ key }) => key))])
      .query()
      .filter(({ type }) => lists.has(type))
      .map((query): ReadQuery => ({ ...query, documentKey: null, pagination: null }))
    await fc.assert(
      fc.asyncProperty(queries, fc.integer({ min: 1, max: 4 }), async (query, pageSize) => {
        const results = []
        for (const client of clients) {
          const url = urlOf(query, model, (key) => client.documentIdOf(key))
          results.push(await assertSameInBothDirections(client, url, pageSize))
        }
        assert.deepEqual(results[1], results[0])
      }),
      { seed: SEED, numRuns: QUERIES },
    )
  } finally {
    for (const running of servers) await running.close()
  }
}

/** Compares both directions with the list, and returns the list. */
async function assertSameInBothDirections(client: ApiClient, url: string, pageSize: number) {
  const read = async (address: string): Promise<Page> => {
    const { status, body } = await client.read(address)
    assert.equal(status, 200, `${address} ${JSON.stringify(body)}`)
    assert.ok(isPage(body))
    return body
  }
  const sized = (parameter: string) => `${url}${url.includes('?') ? '&' : '?'}pagination[${parameter}]`
  const { data: list } = await read(`${sized('limit')}=100`)
  const forward = await walk(read, `${sized('pageSize')}=${pageSize}`, 'start', 'nextCursor')
  assert.deepEqual(
    forward.flatMap(({ data }) => data),
    list,
    decodeURIComponent(url),
  )
  assert.ok(forward.slice(0, -1).every(({ data }) => data.length === pageSize))
  assert.equal(forward[0]?.meta.pagination.previousCursor, null)
  const last = forward.at(-1)
  const start = last?.meta.pagination.previousCursor
  if (last && start) {
    const back = await walk(read, `${sized('limit')}=${pageSize}`, start, 'previousCursor')
    const pages = [...back.reverse(), last]
    assert.deepEqual(
      pages.flatMap(({ data }) => data),
      list,
      decodeURIComponent(url),
    )
  }
  return list
}

const isPage = (body: unknown): body is Page => typeof body === 'object' && body !== null && 'data' in body

const ITEMS_PROJECT = new Map<string, unknown>([
  ['config/tokens.json', { full: { type: 'full-access', token: TOKEN } }],
  [
    'src/api/thing/content-types/thing/schema.json',
    {
      kind: 'collectionType',
      collectionName: 'things',
      info: { singularName: 'thing', pluralName: 'things', displayName: 'thing' },
      options: { draftAndPublish: false, indexes: [['rank'], ['size', 'rank']] },
      attributes: {
        run: { type: 'integer' },
        rank: { type: 'integer' },
        size: { type: 'float' },
        name: { type: 'string' },
        big: { type: 'biginteger' },
        part: { type: 'component', component: 'a.part', repeatable: true },
        next: { type: 'relation', relation: 'oneToOne', target: 'api::thing.thing' },
      },
    },
  ],
  [
    'src/components/a/part.json',
    { collectionName: 'pages', info: { displayName: 'part' }, attributes: { no: { type: 'integer' } } },
  ],
])

const few = fc.constantFrom(null, null, -1, 0, 1, 2)
const thing = fc.record({
  rank: few,
  size: fc.constantFrom(null, 0.1, 0.30000000000000004, -1e-7, 1e21),
  name: fc.constantFrom(null, '', 'a', 'A', 'é', '🍕', '"', '寿'),
  big: fc.constantFrom(null, '9007199254740993', '-9223372036854775808', '3'),
  part: fc.array(fc.record({ no: few }), { maxLength: 2 }),
})
const sortTerm = fc
  .tuple(
    fc.constantFrom('rank', 'size', 'name', 'big', 'part.no', 'next.rank', 'next.name', 'id', 'createdAt'),
    fc.constantFrom('', ':desc'),
  )
  .map((words) => words.join(''))
const walkArbitrary = fc.record({
  things: fc.array(thing, { minLength: 1, maxLength: 12 }),
  sort: fc.array(sortTerm, { maxLength: 3 }),
  pageSize: fc.integer({ min: 1, max: 4 }),
  /** After each part of the walk: a document to delete (by number, the shown ones included), or one to make. */
  meanwhile: fc.array(fc.oneof(fc.nat(11), thing), { maxLength: 12 }),
})

onEachEngine((engine) => {
  let running: TestServer
  let runs = 0
  before(async () => {
    running = await serve(ITEMS_PROJECT, await engine.freshUrl())
  })
  after(() => running?.close())

  const send = async (method: string, url: string, data?: object) => {
    const response = await fetch(`${running.base}/api/things${url}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(data ? { body: JSON.stringify({ data }) } : {}),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${url} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  it('returns each remaining document once and in order, whatever is created and deleted meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(walkArbitrary, async ({ things, sort, pageSize, meanwhile }) => {
        const run = ++runs
        const make = async (content: object): Promise<string> =>
          (await send('POST', '', { ...content, run })).data.documentId
        const made: string[] = []
        for (const content of things) made.push(await make({ ...content, next: made.at(-1) ?? null }))
        const url = `?filters[run]=${run}&fields=id&sort=${sort.join()}`
        const ids = (part: Page) => part.data.map(({ documentId }) => documentId)
        const before = ids(await send('GET', `${url}&pagination[limit]=100`))

        const deleted = new Set<string>()
        const rest = [...meanwhile]
        const write = async () => {
          const change = rest.shift()
          if (typeof change === 'object') await make(change)
          const id = typeof change === 'number' ? made[change] : undefined
          // What points at a document is sorted by it too, and would move.
          if (id === undefined || (sort.join().includes('next') && id !== made.at(-1))) return
          deleted.add(id)
          await send('DELETE', `/${id}`)
        }
        const read: Read = (address) => send('GET', address)
        const sized = `${url}&pagination[pageSize]=${pageSize}`
        const pages = await walk(read, sized, 'start', 'nextCursor', write)
        const forward = pages.flatMap(ids)
        assert.equal(new Set(forward).size, forward.length, 'a document is shown twice')
        const stayed = before.filter((id) => !deleted.has(id))
        assert.deepEqual(
          forward.filter((id) => stayed.includes(id)),
          stayed,
        )

        const start = pages.at(-1)?.meta.pagination.previousCursor
        if (!start) return
        const shownLast = new Set(ids(pages.at(-1) ?? assert.fail()))
        const back = (await walk(read, sized, start, 'previousCursor', write)).reverse().flatMap(ids)
        assert.equal(new Set(back).size, back.length, 'a document is shown twice')
        const still = stayed.filter((id) => !deleted.has(id) && !shownLast.has(id))
        assert.deepEqual(
          back.filter((id) => still.includes(id)),
          still,
        )
      }),
      { seed: SEED, numRuns: WALKS },
    )
  })
})
