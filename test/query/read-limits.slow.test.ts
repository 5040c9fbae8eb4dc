/** A read has a limit of time and of bytes, and no read holds up others. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type HttpResponse, sendRequest } from '../support/http-request.ts'
import { collection, string, TOKEN, typeFile } from '../support/project-server.ts'
import { serve, type TestServer } from '../support/server.ts'

const OTHER_TOKEN = 'token-of-another-caller-0123456789012345'
const PROJECT = new Map<string, unknown>([
  [
    typeFile('page'),
    collection('page', {
      title: string,
      body: { type: 'text' },
      related: { type: 'relation', relation: 'oneToMany', target: 'api::page.page' },
    }),
  ],
  [
    'config/tokens.json',
    {
      full: { type: 'full-access', token: TOKEN },
      other: { type: 'full-access', token: OTHER_TOKEN },
    },
  ],
  ['config/roles.json', { public: { 'api::page.page': ['find', 'findOne'] } }],
])
const PAGES = 24
/** Characters outside ASCII, of two bytes each, take long to compare without case. */
const BODY = 'ЖЩЦЮ'.repeat(10_000)
const BODY_BYTES = Buffer.byteLength(BODY)
const MAX_BYTES = 1_000_000
/** Far longer than a fast read takes on a busy machine, and far shorter than a slow one. */
const READ_MS = 600
const LIMITS = {
  readMs: { public: READ_MS, others: 3_000 },
  responseBytes: { public: MAX_BYTES, others: 1.8 * MAX_BYTES },
}

/**
 * A list whose filter compares each body with a number of values, unless the title has the prefix. Each number of values is a
 * statement of its own.
 */
const comparing = (values: number, prefix = 'none') =>
  `/api/pages?fields=title&filters[$or][0][title][$startsWith]=${prefix}&${Array.from(
    { length: values },
    (_, index) => `filters[$or][${index + 1}][body][$containsi]=x${index}`,
  ).join('&')}`
const SLOW = comparing(300)

onEachEngine((engine) => {
  let api: TestServer
  before(async () => {
    const bounds = { planSize: 5_000 }
    const config = { limits: LIMITS, database: { waitSeconds: 1 }, api: { rest: { bounds } } }
    api = await serve(PROJECT, await engine.freshUrl(), config)
    for (let index = 0; index < PAGES; index++)
      assert.equal((await write({ title: `page ${index}`, body: BODY })).status, 201)
  })
  after(() => api.close())

  const asToken = { authorization: `Bearer ${TOKEN}` }
  const get = (path: string) => sendRequest(api.server, 'GET', path)
  const getAsToken = (path: string) => sendRequest(api.server, 'GET', path, asToken)
  const getAsOther = (path: string) =>
    sendRequest(api.server, 'GET', path, { authorization: `Bearer ${OTHER_TOKEN}` })
  const write = (data: object) =>
    sendRequest(api.server, 'POST', '/api/pages', asToken, JSON.stringify({ data }))
  const errorOf = ({ text }: HttpResponse) => JSON.parse(text).error
  const refused = () => api.server.store.metrics().refusedReads
  /** Writes something, so that no response is cached. */
  const changeContent = async () => assert.equal((await write({ title: 'more' })).status, 201)

  it('a read that takes too long is stopped, and the response says which limit it exceeded', async () => {
    const before = refused().time
    for (let round = 0; round < 2; round++) {
      const response = await get(SLOW)
      assert.deepEqual([response.status, response.headers['retry-after']], [503, '5'], response.text)
      const { name, message, details } = errorOf(response)
      assert.equal(name, 'ServiceUnavailableError')
      assert.match(message, /stopped after 600 ms \(limits\.readMs\); .*smaller page/)
      assert.deepEqual(details, { limit: 'readMs', milliseconds: READ_MS })
    }
    assert.equal(refused().time, before + 2)
  })

  it('a statement that was fast with other values is stopped too', async () => {
    for (let round = 0; round < 3; round++) {
      await changeContent()
      assert.equal((await get(comparing(301, 'page'))).status, 200)
    }
    assert.equal((await get(comparing(301))).status, 503)
  })

  it('other requests are served while a slow read runs', async () => {
    await changeContent()
    await getAsOther('/api/pages?fields=title&sort=title')
    let isSlowDone = false
    const slow = getAsToken(SLOW).then((response) => {
      isSlowDone = true
      return response
    })
    const others = await Promise.all([
      get('/healthz'),
      get('/readyz'),
      getAsOther('/api/pages?fields=title&sort=title'),
      getAsOther('/api/pages?fields=title&sort=title:desc'),
      getAsOther('/api/pages?fields=title&pagination[limit]=3'),
      write({ title: 'written meanwhile' }),
    ])
    assert.deepEqual(
      others.map(({ status }) => status),
      [200, 200, 200, 200, 200, 201],
    )
    assert.equal(isSlowDone, false)
    assert.equal((await slow).status, 503)
  })

  it('a caller with many slow reads is refused alone', async () => {
    await changeContent()
    const before = refused()
    const slow = Array.from({ length: 24 }, (_, index) => get(comparing(310 + index)))
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        getAsOther(`/api/pages?fields=title&filters[title]=page%20${index}`),
      ),
    )
    for (const { status, text } of others) assert.equal(status, 200, text)
    for (const { status, headers } of await Promise.all(slow)) {
      assert.equal(status, 503)
      assert.ok(headers['retry-after'])
    }
    assert.ok(refused().time > before.time)
  })

  it('a response is refused exactly when its documents have too many bytes', async () => {
    const limit = LIMITS.responseBytes.others
    for (const path of ['/api/pages?sort=id', '/api/pages?sort=id&pagination[cursor]=start']) {
      for (const size of [1, 11, 21, 23, 24]) {
        // Not as the public, whose reads must be so fast that those on a busy machine could take too long.
        const response = await getAsToken(`${path}&pagination[pageSize]=${size}`)
        const isTooLarge = size * BODY_BYTES > limit
        assert.equal(response.status, isTooLarge ? 400 : 200, `${path} ${size}`)
        if (!isTooLarge) continue
        const { name, message, details } = errorOf(response)
        assert.equal(name, 'ValidationError')
        assert.match(message, /more than 1800000 bytes \(limits\.responseBytes\); request a smaller page/)
        assert.deepEqual(details, { limit: 'responseBytes', bytes: limit })
      }
    }
    assert.equal((await get('/api/pages?pagination[pageSize]=13')).status, 400)
    assert.equal((await get('/api/pages?fields=title&pagination[pageSize]=20')).status, 200)
    assert.ok(refused().bytes > 0)
  })

  it('a write whose response would have too many bytes fails with 400, and nothing is written', async () => {
    const { data: pages } = JSON.parse(
      (await getAsToken('/api/pages?fields=id&filters[body][$notNull]=true')).text,
    )
    const related = pages.map(({ documentId }: { documentId: string }) => documentId)
    assert.ok(related.length * BODY_BYTES > 1.8 * MAX_BYTES)
    const send = (method: string, path: string, data: object) =>
      sendRequest(api.server, method, path, asToken, JSON.stringify({ data }))
    const countOf = async () =>
      JSON.parse((await getAsToken('/api/pages?fields=id')).text).meta.pagination.total
    const before = await countOf()
    const refused = await send('POST', '/api/pages?populate=related', { title: 'refused', related })
    assert.equal(refused.status, 400, refused.text.slice(0, 300))
    assert.deepEqual(errorOf(refused).details, { limit: 'responseBytes', bytes: 1.8 * MAX_BYTES })
    assert.equal(await countOf(), before)
    const written = await send('POST', '/api/pages?populate[related][fields]=title', {
      title: 'written',
      related,
    })
    assert.equal(written.status, 201, written.text.slice(0, 300))
    const path = `/api/pages/${JSON.parse(written.text).data.documentId}`
    assert.equal((await send('PUT', `${path}?populate=related`, { title: 'refused' })).status, 400)
    assert.equal(JSON.parse((await getAsToken(`${path}?fields=title`)).text).data.title, 'written')
  })
})
