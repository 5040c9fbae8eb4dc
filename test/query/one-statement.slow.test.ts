/**
 * Every read is one statement, and a rejected request is none. Statements are counted by their OpenTelemetry spans, which
 * belong to the request: work in the background does not count.
 */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { SpanKind } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node'
import { type Client, createClient } from '../reference/client.ts'
import { Memory } from '../reference/memory.ts'
import { loadRecording, PROJECT, type Step } from '../reference/recording.ts'
import { seedServer } from '../reference/replay.ts'
import { onEachEngine } from '../support/engines.ts'
import { recordSpans } from '../support/recorded-spans.ts'
import { serve, type TestServer } from '../support/server.ts'

const exporter = recordSpans()

/** Without those that check whether another process has changed the model or the permissions. */
const isContentStatement = ({ kind, attributes }: ReadableSpan) =>
  kind === SpanKind.CLIENT &&
  !/\boctavo_(meta|tokens|permissions)\b/.test(String(attributes['db.query.text']))

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
  ['a zone with everything in it', '/api/restaurants?populate[zone][populate]=*'],
  [
    'a zone with different attributes of each component',
    '/api/restaurants?populate[zone][on][block.faq][populate]=entries&populate[zone][on][block.dish-highlight][populate][dishes][populate]=chef',
  ],
  ['other locales', '/api/restaurants?populate[localizations][populate]=categories'],
  ['all locales', '/api/restaurants?locale=*&populate=localizations'],
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
  ['a ranked search', '/api/restaurants?_q=alba&sort=_score'],
  ['a filter by publication', '/api/restaurants?status=draft&publicationFilter=modified'],
  ['a single type', '/api/homepage?populate=*'],
  ['the documents that use a file', '/api/restaurants?populate[cover][populate]=related'],
]

onEachEngine((engine) => {
  let running: TestServer
  let client: Client
  let seeded: Memory

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), {
      cache: { enabled: false, counts: false },
      telemetry: { enabled: true },
    })
    client = createClient(running.base, recording)
    seeded = await seedServer(client, recording)
  })
  after(() => running?.close())

  /** The content statements of a request, after a first one for which the server reads the credential. */
  async function statementsOf(step: Step) {
    await client.send(step, new Memory(seeded))
    return countStatements(step)
  }

  async function countStatements(step: Step) {
    exporter.reset()
    const { status } = await client.send(step, new Memory(seeded))
    return { status, statements: exporter.getFinishedSpans().filter(isContentStatement).length }
  }

  for (const [sentence, url] of ownReads) {
    it(`one statement reads ${sentence}`, async () => {
      const [path = '', query = ''] = url.split('?')
      const step: Step = { method: 'GET', path, query, auth: 'full' }
      assert.deepEqual(await statementsOf(step), { status: 200, statements: 1 })
    })
  }

  it('a page by cursor is one statement, and a cursor of another query is rejected without one', async () => {
    const path = '/api/restaurants'
    const query = 'sort=chef.name,stars:desc&pagination[pageSize]=2'
    const first: Step = { method: 'GET', path, query: `${query}&pagination[cursor]=start`, auth: 'full' }
    const { body } = await client.send(first, new Memory(seeded))
    const cursor = /"nextCursor":"([\w-]+)"/.exec(JSON.stringify(body))?.[1]
    const next: Step = { ...first, query: `${query}&pagination[cursor]=${cursor}` }
    assert.deepEqual(await countStatements(next), { status: 200, statements: 1 })
    const other: Step = { ...first, query: `sort=name&pagination[cursor]=${cursor}` }
    assert.deepEqual(await countStatements(other), { status: 400, statements: 0 })
  })

  it('a list with its count is one statement', async () => {
    const query = 'filters[stars][$gte]=2&filters[name][$ne]=not counted before'
    const step: Step = { method: 'GET', path: '/api/restaurants', query, auth: 'full' }
    assert.deepEqual(await countStatements(step), { status: 200, statements: 1 })
  })

  it('every recorded read is one statement, and a rejected one is none', async () => {
    for (const { name, step } of recordedReads) {
      const { status, statements } = await statementsOf(step)
      const isRight = status === 404 ? statements <= 1 : statements === (status === 200 ? 1 : 0)
      assert.ok(isRight, `${name}: ${status} with ${statements} statements`)
    }
  })

  it('a numeric documentId needs no statement, and other errors of the request are still reported', async () => {
    for (const [query, status] of [
      ['', 404],
      ['populate=*', 404],
      ['populate=nothing', 400],
      ['status=old', 400],
    ] as const) {
      const step: Step = { method: 'GET', path: '/api/restaurants/1', query, auth: 'full' }
      assert.deepEqual(await statementsOf(step), { status, statements: 0 })
    }
  })
})
