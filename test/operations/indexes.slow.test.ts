import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { IndexReport } from '../../src/reads/indexes/report.ts'
import { compile } from '../../src/store/compile.ts'
import { sql } from '../../src/store/sql.ts'
import type { Store } from '../../src/store/store.ts'
import { octavo } from '../support/command.ts'
import { onEachEngine, type TestEngine } from '../support/engines.ts'
import { waitUntil } from '../support/wait-until.ts'
import { FULL, type Library, openLibrary } from './library.ts'

const BOOK = 'api::book.book'
const NEEDY = '/api/books?filters[year][$gte]=2&sort=title'

/** Adds 2,000 books, so that the engine prefers an index. */
async function fill({ server }: Library, engine: TestEngine): Promise<void> {
  const numbers =
    engine.name === 'sqlite'
      ? 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i FROM n'
      : 'SELECT i FROM generate_series(1, 2000) AS n (i)'
  await server.store.write(async (transaction) => {
    transaction.run({
      sql: `INSERT INTO books (document_id, locale, published, created_at, updated_at, published_at, served, a_title, a_shelf, a_year)
        SELECT 'd' || i, '', 1, 'now', 'now', 'now', '', 't' || ((i * 7919) % 2000), 's' || (i % 100), i % 5 FROM (${numbers}) AS m`,
      parameters: [],
    })
    if (engine.name === 'postgres') transaction.run({ sql: 'ANALYZE books', parameters: [] })
    transaction.touch('books')
  })
}

/** Reads the same list a number of times; the response cache is off. */
async function repeat(library: Library, path: string, times = 25) {
  for (let count = 0; count < times; count++) assert.equal((await library.get(path, FULL)).status, 200)
}

async function report(library: Library): Promise<IndexReport> {
  const { status, text } = await library.get('/admin/api/indexes', library.admin)
  assert.equal(status, 200, text)
  const { data }: { data: IndexReport } = JSON.parse(text)
  // Files have indexes of their own.
  return { ...data, existing: data.existing.filter(({ contentType }) => contentType === BOOK) }
}

/** Runs the job that creates and drops indexes now. */
async function runJob(library: Library) {
  const jobs = async () => {
    const {
      data,
    }: { data: readonly { id: number; kind: string; state: string; attempts: number; dueAt: string }[] } =
      JSON.parse((await library.get('/admin/api/jobs', library.admin)).text)
    return data.find(({ kind }) => kind === 'indexes.update')
  }
  const idle = async () => {
    const job = await jobs()
    return job?.state === 'waiting' && Date.parse(job.dueAt) > Date.now() + 60_000
  }
  const job = await jobs()
  const response = await fetch(`${library.base}/admin/api/jobs/${job?.id}/retry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${library.admin}` },
  })
  assert.equal(response.status, 204)
  await waitUntil(idle)
}

const run = (store: Store, statement: ReturnType<typeof sql>) =>
  store.write((transaction) => transaction.all(compile(store.dialect, statement)))

const explainUsed = async (library: Library, path: string) => {
  const {
    data,
  }: { data: { indexes: { used: { name: string; automatic?: true }[]; suggested: unknown[] } } } = JSON.parse(
    (await library.get(`${path}&explain=true`, library.admin)).text,
  )
  return data.indexes
}

onEachEngine((engine) => {
  describe('with database.autoIndex: suggest', () => {
    let library: Library
    let url: string
    before(async () => {
      url = await engine.freshUrl()
      library = await openLibrary(url, { cache: { enabled: false } })
      await fill(library, engine)
    })
    after(() => library.close())

    it('a list that scans far more rows than it returns is suggested an index, with its cost', async () => {
      await repeat(library, NEEDY)
      const { suggested, existing } = await report(library)
      assert.deepEqual(existing, [])
      const [index, ...others] = suggested
      assert.deepEqual(others, [])
      assert.deepEqual([index?.contentType, index?.on, index?.reads], [BOOK, ['title'], 25])
      assert.deepEqual(index?.declare, { options: { indexes: [['title']] } })
      const [served] = index?.serves ?? []
      assert.equal(served?.example, '/api/books?filters[year][$gte]=…&sort=title')
      assert.deepEqual([served?.reads, served?.rowsRead, served?.rowsReturned], [25, 2000, 25])
      assert.ok((index?.bytes ?? 0) > 20_000 && (index?.bytes ?? 0) < 200_000, String(index?.bytes))
      assert.equal(library.lines('An index would help: see `octavo indexes`').length, 1)
    })

    it('the command lists the same, and drops only what was not declared', async () => {
      const options = ['--project', library.folder, '--database', url]
      const listed = await octavo(['indexes', ...options])
      assert.equal(listed.code, 0, listed.err)
      assert.match(
        listed.out,
        /^Indexes that would help:\n {2}api::book\.book \(title\): 25 reads, about \d+ kB/,
      )
      assert.match(listed.out, /^ +declare: "indexes": \[\["title"\]\]$/m)
      const refused = await octavo(['indexes', 'drop', 'books_pages', ...options])
      assert.equal(refused.code, 1)
      assert.match(refused.err, /No automatic index books_pages\. List all with: \S+.* indexes --project/)
    })

    it('an index for the smallest part of the rows is suggested: equalities first, a range or the sort order last', async () => {
      await repeat(library, '/api/books?filters[shelf]=s7&sort=title', 1)
      await repeat(library, '/api/books?filters[title][$gt]=t998&sort=year', 1)
      const on = (await report(library)).suggested.map((index) => index.on)
      assert.deepEqual(on.toSorted(), [['shelf', 'title'], ['title']])
    })

    it('reads that scan few rows, or that no index can serve, are not suggested anything', async () => {
      const before = await report(library)
      for (const path of [
        '/api/books',
        '/api/books?sort=id',
        '/api/books?filters[documentId]=d7',
        '/api/books?filters[slug]=a',
        '/api/books?filters[year][$gte]=1',
        '/api/books?filters[title][$containsi]=zz&sort=summary',
        '/api/authors?sort=name',
      ])
        await repeat(library, path, 1)
      const after = await report(library)
      assert.deepEqual(
        after.suggested.map(({ on }) => on),
        before.suggested.map(({ on }) => on),
      )
    })

    it('values appear neither in the list, nor in the tables, nor in the log', async () => {
      const secret = 'Alma-Secret-7'
      await repeat(library, `/api/books?filters[shelf]=${secret}&filters[title][$ne]=${secret}&sort[0]=year`)
      const listed = await library.get('/admin/api/indexes', library.admin)
      assert.match(listed.text, /filters\[shelf\]=…/)
      const tables = ['octavo_read_shapes', 'octavo_auto_indexes', 'octavo_index_uses']
      const stored = await Promise.all(
        tables.map((table) => run(library.server.store, sql`select * from ${sql.table(table)}`)),
      )
      const logged = library.lines('An index would help: see `octavo indexes`')
      assert.equal(logged.length, 2)
      for (const text of [listed.text, JSON.stringify(stored), JSON.stringify(logged)])
        assert.doesNotMatch(text, /Alma|Secret-7/)
    })

    it('only admins see the list', async () => {
      assert.equal((await library.get('/admin/api/indexes')).status, 403)
      assert.equal((await library.get('/admin/api/indexes', FULL)).status, 403)
    })

    it('counts are kept across restarts, and no index is created', async () => {
      const reads = async () =>
        (await report(library)).suggested.find(({ on }) => on.join() === 'title')?.reads
      const before = (await reads()) ?? 0
      await repeat(library, NEEDY, 3)
      await library.close()
      library = await openLibrary(url, { cache: { enabled: false } })
      await repeat(library, NEEDY, 2)
      assert.equal(await reads(), before + 5)
      assert.deepEqual((await report(library)).existing, [])
    })

    it('the command creates all suggested indexes, and completes what was interrupted', async () => {
      const create = async () => {
        const { code, out, err } = await octavo([
          'indexes',
          'create',
          '--project',
          library.folder,
          '--database',
          url,
        ])
        assert.equal(code, 0, err)
        return out
      }
      const { suggested } = await report(library)
      const lines = (await create()).trim().split('\n')
      assert.deepEqual(
        lines.map((line) => /^Created octavo_auto_\w+ for api::book\.book \((.*)\)\.$/.exec(line)?.[1]),
        suggested.map(({ on }) => on.join(', ')),
      )
      const [index] = (await report(library)).existing
      await library.server.store.dropIndex(index?.name ?? '')
      await run(
        library.server.store,
        sql`update octavo_auto_indexes set state = 'building' where name = ${index?.name} returning name`,
      )
      assert.equal(await create(), `Completed ${index?.name}.\n`)
      assert.equal(await create(), 'No index is missing.\n')
    })
  })

  describe('with database.autoIndex: create', () => {
    let library: Library
    let url: string
    const config = {
      cache: { enabled: false },
      database: { autoIndex: 'create', maxAutoIndexes: 2 },
    } as const
    before(async () => {
      url = await engine.freshUrl()
      library = await openLibrary(url, config)
      await fill(library, engine)
    })
    after(() => library.close())

    it('the index is created while writes go on, by one of two servers, and used', async () => {
      const other = await openLibrary(url, config)
      try {
        await repeat(library, NEEDY)
        await repeat(other, NEEDY)
        await Promise.all([report(library), report(other)])
        const writes = Array.from({ length: 20 }, (_, year) =>
          library.write('POST', '/api/books', { data: { title: `new ${year}`, year } }),
        )
        const created = () => [library, other].flatMap((one) => one.lines('Created an index'))
        await waitUntil(() => created().length > 0)
        for (const { status } of await Promise.all(writes)) assert.equal(status, 201)
        assert.deepEqual(
          created().map(({ on }) => on),
          [['title']],
        )
      } finally {
        await other.close()
      }
      const { suggested, existing } = await report(library)
      assert.deepEqual(suggested, [])
      const [index] = existing
      assert.equal(existing.length, 1)
      assert.deepEqual([index?.on, index?.automatic], [['title'], true])
      assert.ok((index?.bytes ?? 0) > 0)
      const explained = await explainUsed(library, `${NEEDY}&pagination[withCount]=false`)
      assert.deepEqual(
        explained.used.filter(({ name }) => name === index?.name).map(({ automatic }) => automatic),
        [true],
      )
    })

    it('is listed with the time of the last read that used it', async () => {
      assert.equal((await report(library)).existing[0]?.lastUsedAt, null)
      await repeat(library, NEEDY, 1)
      assert.match((await report(library)).existing[0]?.lastUsedAt ?? '', /^20/)
    })

    it('there are at most as many per content-type as configured', async () => {
      await repeat(library, '/api/books?filters[shelf]=s7&sort=title')
      await repeat(library, '/api/books?filters[shelf]=s7&sort=year')
      await repeat(library, '/api/books?filters[shelf]=s7&sort=createdAt')
      await report(library)
      await runJob(library)
      const { existing, suggested } = await report(library)
      assert.equal(existing.length, 2)
      assert.ok(suggested.length > 0)
    })

    it('what an interrupted attempt has left is completed, and what no read has used for long is dropped', async () => {
      const { store } = library.server
      const before = (await report(library)).existing
      const first = before.find(({ on }) => on.join() === 'title')
      const second = before.find(({ on }) => on.join() !== 'title')
      await store.dropIndex(second?.name ?? '')
      await run(
        store,
        sql`update octavo_auto_indexes set state = 'building' where name = ${second?.name} returning name`,
      )
      await run(
        store,
        sql`update octavo_index_uses set last_used_at = '2020-01-01' where name = ${first?.name} returning name`,
      )
      await runJob(library)
      const { existing } = await report(library)
      assert.ok(!existing.some(({ name }) => name === first?.name))
      const rebuilt = existing.find(({ name }) => name === second?.name)
      assert.ok(rebuilt?.isReady && rebuilt.bytes > 0, JSON.stringify(existing))
      assert.deepEqual(
        library.lines('Dropped an unused index').map(({ index }) => index),
        [first?.name],
      )
    })
  })

  it('with database.autoIndex: off nothing is counted', async () => {
    const library = await openLibrary(await engine.freshUrl(), { database: { autoIndex: 'off' } })
    try {
      await repeat(library, NEEDY, 1)
      assert.equal((await library.get('/admin/api/indexes', library.admin)).status, 404)
      assert.equal((await explainUsed(library, NEEDY)).suggested.length, 1)
    } finally {
      await library.close()
    }
  })
})
