import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../test/documents/test-database.ts'
import { onEachEngine } from '../../test/support/engines.ts'
import { defaults } from '../project/config/defaults.ts'
import type { ParamObject } from '../query/params.ts'
import { systemScope } from '../query/scope.ts'
import { compile } from '../store/compile.ts'
import { sql } from '../store/sql.ts'
import type { Store } from '../store/store.ts'
import { createReads, type Reads } from './reads.ts'

onEachEngine((engine) => {
  let database: TestDatabase
  let reads: Reads
  let statements = 0
  let meanwhile = async () => {}

  before(async () => {
    database = await openTestDatabase(engine)
    /** Another write is made while the result is awaited. */
    const wait = async () => {
      statements++
      const write = meanwhile
      meanwhile = async () => {}
      await write()
    }
    const slow: Store = {
      ...database.store,
      async read(statement, tables) {
        await wait()
        return database.store.read(statement, tables)
      },
      async readFirstRow(statement, tables) {
        await wait()
        return database.store.readFirstRow(statement, tables)
      },
    }
    reads = createReads(slow, database.layout, defaults)
  })
  after(() => database.close())

  async function tags(query: ParamObject) {
    const { data, total } = await reads.list(database.request('tag').type, query, systemScope)
    const labels: string[] = JSON.parse(data).map(({ label }: { label: string }) => label)
    return { labels, total }
  }

  it('returns a page and a total of the same state, whatever is written meanwhile', async () => {
    const ids: string[] = []
    for (const label of ['a', 'b', 'c', 'd', 'e', 'f']) ids.push(await database.create('tag', { label }))
    const page = { pagination: { start: 2, limit: 2 } }
    const walk = { pagination: { cursor: 'start', pageSize: 2, withCount: true } }
    for (const query of [page, walk]) await tags(query)
    statements = 0
    assert.deepEqual(await tags(page), { labels: ['c', 'd'], total: 6 })
    assert.equal(statements, 1)

    meanwhile = () => database.remove('tag', ids[0] ?? '')
    assert.deepEqual(await tags(page), { labels: ['d', 'e'], total: 5 })
    assert.equal(statements, 3)
    assert.deepEqual(await tags(page), { labels: ['d', 'e'], total: 5 })

    await tags(walk)
    meanwhile = () => database.remove('tag', ids[1] ?? '')
    assert.deepEqual(await tags(walk), { labels: ['c', 'd'], total: 4 })
  })

  it('sorts by the smallest related value ascending and by the largest descending', async () => {
    const [k1, k2, k3, k4] = await Promise.all(
      ['k1', 'k2', 'k3', 'k4'].map((label) => database.create('tag', { label })),
    )
    await database.create('article', { title: 'narrow', tags: [k1, k2] })
    await database.create('article', { title: 'late', tags: [k3] })
    await database.create('article', { title: 'wide', tags: [k1, k4] })
    const sorted = async (sort: string) => {
      const { data } = await reads.list(
        database.request('article').type,
        { status: 'draft', sort },
        systemScope,
      )
      return JSON.parse(data).map(({ title }: { title: string }) => title)
    }

    assert.deepEqual(await sorted('tags.label'), ['narrow', 'wide', 'late'])
    assert.deepEqual(await sorted('tags.label:desc'), ['wide', 'late', 'narrow'])
    assert.deepEqual(await sorted('tags.label,tags.label:desc'), ['wide', 'narrow', 'late'])
    assert.deepEqual(await sorted('tags.label,tags.label'), ['narrow', 'wide', 'late'])
  })

  it('keeps pages apart from versions that the list does not have, behind its end too', async () => {
    const made: string[] = []
    for (const name of ['first', 'second', 'third']) made.push(await database.create('author', { name }))
    const page = async (status: string, start: number) => {
      const query = { status, pagination: { start, limit: 2 } }
      const { data } = await reads.list(database.request('author').type, query, systemScope)
      return JSON.parse(data).map(({ documentId }: { documentId: string }) => documentId)
    }
    for (const status of ['draft', 'published']) {
      assert.deepEqual(await page(status, 0), made.slice(0, 2))
      assert.deepEqual(await page(status, 2), made.slice(2))
      assert.deepEqual(await page(status, 3), [])
      assert.deepEqual(await page(status, 4), [])
    }
    // A locale that is hidden since the content-type is no longer localized.
    const hide = sql`UPDATE authors SET locale = 'fr' WHERE document_id = ${made[0] ?? ''}`
    await database.store.write(async (transaction) => {
      transaction.run(compile(engine.dialect, hide))
      transaction.touch('authors')
    })
    for (const status of ['draft', 'published']) {
      assert.deepEqual(await page(status, 0), made.slice(1))
      assert.deepEqual(await page(status, 1), made.slice(2))
      assert.deepEqual(await page(status, 2), [])
    }
  })
})
