import assert from 'node:assert/strict'
import { it } from 'node:test'
import { redactValues } from '../../src/http/logging/redact.ts'
import type { ConfigInput } from '../../src/project/config/config.ts'
import { blockWriters } from '../../src/store/migration/schema-version-check.ts'
import { onEachEngine } from '../support/engines.ts'
import { waitUntil } from '../support/wait-until.ts'
import { FULL, type Library, type LibraryResponse, openLibrary } from './library.ts'

onEachEngine((engine) => {
  async function withLibrary(config: ConfigInput, work: (library: Library) => Promise<void>) {
    const library = await openLibrary(await engine.freshUrl(), config)
    try {
      await work(library)
    } finally {
      await library.close()
    }
  }

  it('every response has a request id: that of the request if it is valid, otherwise a new one', async () => {
    await withLibrary({}, async ({ get }) => {
      const named = async (id?: string) =>
        (await get('/api/books', undefined, id === undefined ? {} : { 'x-request-id': id })).headers.get(
          'x-request-id',
        )
      assert.equal(await named('abc-123.x:y_Z'), 'abc-123.x:y_Z')
      const own = new Set([
        await named(),
        await named(),
        await named('two words'),
        await named('x'.repeat(65)),
      ])
      assert.equal(own.size, 4)
      for (const id of own) assert.match(String(id), /^[\w-]{8}-\w+$/)
      assert.ok((await get('/nowhere')).headers.get('x-request-id'), 'a 404 has one too')
    })
  })

  it('log.requests logs every request, without path and parameters', async () => {
    await withLibrary({ log: { requests: true } }, async ({ get, lines }) => {
      await get('/api/books?filters[title]=Secret+Garden', FULL, { 'x-request-id': 'here' })
      await get('/nowhere-at-all')
      const [list, nothing] = lines('Request completed')
      assert.deepEqual(
        [list?.request, list?.method, list?.route, list?.contentType, list?.status, typeof list?.ms],
        ['here', 'GET', '/api/:name', 'api::book.book', 200, 'number'],
      )
      assert.deepEqual([nothing?.route, nothing?.status], ['none', 404])
      assert.ok(nothing?.request)
      assert.doesNotMatch(JSON.stringify(lines('')), /Garden|at-all|token-of/)
    })
  })

  it('requests are not logged by default', async () => {
    await withLibrary({}, async ({ get, lines }) => {
      await get('/api/books')
      assert.deepEqual(lines('Request completed'), [])
    })
  })

  it('a slow read is logged with its duration, statement and plan, without values', async () => {
    await withLibrary(
      { log: { slowQueryMs: 1 }, cache: { enabled: false } },
      async ({ server, get, lines }) => {
        await makeSlow(server.store, engine.name)
        const url = (title: string) =>
          `/api/books?filters[title][$contains]=${title}&sort=year:desc&populate=author&_q=needle`
        for (const title of ['Haystack', 'Garden', 'Haystack'])
          assert.equal((await get(url(title))).status, 200)
        const slow = () => lines('Slow read')
        await waitUntil(() => slow().length >= 3)
        const first = slow().find(({ sql }) => sql !== undefined)
        assert.ok(first)
        assert.equal(first.url, '/api/books?filters[title][$contains]=…&sort=year:desc&populate=author&_q=…')
        assert.deepEqual([first.level, first.contentType], [40, 'api::book.book'])
        assert.ok(Number(first.ms) >= 1)
        assert.match(String(first.sql), /from "books"/)
        assert.match(
          JSON.stringify(first.plan),
          engine.name === 'sqlite' ? /books_\w+/ : /Index Scan|Seq Scan/,
        )
        assert.doesNotMatch(JSON.stringify(slow()), /Haystack|Garden|needle/)
        const repeated = slow().filter(({ statement }) => statement === first.statement)
        assert.ok(repeated.length >= 2)
        assert.equal(
          repeated.filter(({ plan }) => plan !== undefined).length,
          1,
          'the plan is logged once a minute',
        )
      },
    )
  })

  it('a slow write is logged with its action, document, duration and waiting time', async () => {
    await withLibrary({ log: { slowQueryMs: 5 } }, async ({ server, write, get, admin, lines }) => {
      const counted = async () =>
        Number(/^octavo_slow_writes_total (\d+)$/m.exec((await get('/metrics', admin)).text)?.[1])
      // Starting the server writes too.
      const [before, earlier] = [await counted(), lines('Slow write').length]
      const data = { title: 'The Secret Garden', slug: 'garden' }
      const idOf = (response: LibraryResponse) => String(response.json().data.documentId)
      const created = idOf(await whileBlocked(server, () => write('POST', '/api/books', { data })))
      await whileBlocked(server, () => write('PUT', `/api/books/${created}`, { data: { title: 'A Garden' } }))
      await whileBlocked(server, () => write('PUT', '/api/books/nowhere', { data: { title: 'A Garden' } }))
      await whileBlocked(server, () => write('DELETE', `/api/books/${created}`))
      const once = { 'idempotency-key': 'key-of-a-caller' }
      const repeated = idOf(await whileBlocked(server, () => write('POST', '/api/books', { data }, once)))
      const operations = [
        { method: 'POST', path: '/api/authors', body: { data: { name: 'Burnett' } } },
        { method: 'DELETE', path: `/api/books/${repeated}` },
      ]
      await whileBlocked(server, () => write('POST', '/api/batch', { operations }))
      const logged = lines('Slow write').slice(earlier)
      // On SQLite writes wait before their transaction starts, on PostgreSQL inside it.
      const least = engine.name === 'sqlite' ? 10 : 0
      for (const { level, ms } of logged) assert.ok(level === 40 && Number(ms) >= 10)
      assert.deepEqual(
        logged.map(({ action, contentType, contentTypes, document, writes, waitedMs, failed }) => [
          ...[action, contentType ?? contentTypes, document ?? writes],
          ...[waitedMs === undefined ? null : Number(waitedMs) >= least, failed],
        ]),
        [
          ['create', 'api::book.book', created, true, undefined],
          ['update', 'api::book.book', created, true, undefined],
          ['update', 'api::book.book', 'nowhere', true, true],
          ['delete', 'api::book.book', created, true, undefined],
          ['create', 'api::book.book', repeated, true, undefined],
          ['batch', ['api::author.author', 'api::book.book'], 2, true, undefined],
        ],
      )
      assert.doesNotMatch(JSON.stringify(logged), /Garden|garden|Burnett|key-of-a-caller/)
      assert.equal((await counted()) - before, logged.length)
    })
  })

  it('nothing is slow when log.slowQueryMs is 0', async () => {
    await withLibrary(
      { log: { slowQueryMs: 0 }, cache: { enabled: false } },
      async ({ server, get, write, lines }) => {
        await makeSlow(server.store, engine.name)
        await get('/api/books?filters[title][$containsi]=x')
        await write('POST', '/api/books', { data: {} })
        assert.deepEqual(lines('Slow'), [])
      },
    )
  })
})

/** Blocks writers until a write has waited for a while. */
async function whileBlocked<Result>(
  { store }: Library['server'],
  write: () => Promise<Result>,
): Promise<Result> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: blocked, resolve: confirmBlocked } = Promise.withResolvers<void>()
  const blocking = store.write(async (transaction) => {
    await blockWriters(transaction)
    await transaction.all({ sql: 'select 1', parameters: [] })
    confirmBlocked()
    await released
  })
  await blocked
  try {
    const before = store.metrics().writes
    const written = write()
    await waitUntil(() => store.metrics().writes > before)
    await new Promise((resolve) => setTimeout(resolve, 15))
    release()
    return await written
  } finally {
    release()
    await blocking
  }
}

/** Adds enough books that reading all of them takes longer than a millisecond. */
async function makeSlow(store: Library['server']['store'], engine: string): Promise<void> {
  const numbers =
    engine === 'sqlite'
      ? 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n'
      : 'SELECT i FROM generate_series(1, 20000) AS n (i)'
  await store.write(async (transaction) => {
    await transaction.run({
      sql: `INSERT INTO books (document_id, locale, published, created_at, updated_at, published_at, served, a_title)
        SELECT 'd' || i, '', 1, 'now', 'now', 'now', ',"title":"' || i || '"', 'Book ' || i FROM (${numbers}) AS m`,
      parameters: [],
    })
    transaction.touch('books')
  })
}

it('redactValues keeps names and keywords and removes filter values', () => {
  assert.equal(redactValues('/api/a'), '/api/a')
  assert.equal(
    redactValues('/api/a?filters%5Bx%5D=secret&sort=x&populate[b][filters][c]=secret&locale=en&token=t'),
    '/api/a?filters%5Bx%5D=…&sort=x&populate[b][filters][c]=…&locale=en&token=…',
  )
  assert.equal(
    redactValues('/api/a?pagination[cursor]=abc&pagination[page]=2'),
    '/api/a?pagination[cursor]=…&pagination[page]=2',
  )
  assert.equal(redactValues('/api/a?%E0%A4%A=x&flag'), '/api/a?%E0%A4%A=…&flag')
})
