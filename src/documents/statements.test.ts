import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../test/documents/test-database.ts'
import { onEachEngine } from '../../test/support/engines.ts'
import type { Store } from '../store/store.ts'
import { createDocuments, type Documents } from './documents.ts'

onEachEngine((engine) => {
  let database: TestDatabase
  let documents: Documents
  let count = 0
  before(async () => {
    database = await openTestDatabase(engine)
    const counting: Store = {
      ...database.store,
      write: (work) =>
        database.store.write((transaction) =>
          work({
            ...transaction,
            all: (statement) => {
              count++
              return transaction.all(statement)
            },
            run: (statement) => {
              count++
              return transaction.run(statement)
            },
          }),
        ),
    }
    documents = createDocuments({
      store: counting,
      layout: () => database.layout,
      hashPassword: async (plain) => plain,
    })
  })
  after(() => database.close())

  const answer = async (_: unknown, { documentId }: { documentId: string }) => documentId

  async function statementsOf(write: () => Promise<unknown>): Promise<number> {
    count = 0
    await write()
    return count
  }

  describe('the number of statements of a write', () => {
    it('stays small for any relations, entries and locales', async () => {
      const tags = await Promise.all(
        Array.from({ length: 40 }, (_, index) => database.create('tag', { label: `t${index}` })),
      )
      const author = await database.create('author', { name: 'A' })
      const data = { title: 'Counted', slug: 'counted', author, tags: tags.slice(0, 2) }
      const made: string[] = []
      const create = (body: unknown) =>
        statementsOf(async () => made.push(await documents.create(database.request('article'), body, answer)))
      // On SQLite a write first reads ids and positions.
      const created = engine.name === 'sqlite' ? 4 : 3
      assert.equal(await create(data), created)
      assert.equal(await create({ ...data, slug: 'again', tags: tags.slice(1, 2) }), created)
      const [id = ''] = made
      const update = (body: unknown, status: 'draft' | 'published' = 'published') =>
        statementsOf(() => documents.update(database.request('article', { status }), id, body, answer))
      assert.equal(await update({ views: 1 }), 4)
      assert.equal(await update({ views: 2 }, 'draft'), 2)
      assert.equal(await statementsOf(() => documents.publish(database.request('article'), id, answer)), 4)
      await database.update('article', id, { title: 'Deux' }, { locale: 'fr' })
      assert.ok(
        (await update({ tags, parts: tags.slice(0, 4).map((tag) => ({ title: 't', tags: [tag] })) })) <= 9,
      )
      assert.equal(await update({ views: 4 }), 4)
      const replaced = await update({ tags: tags.toReversed() })
      assert.ok(replaced <= 9, String(replaced))
      const tag = tags[0] ?? ''
      assert.ok(
        (await statementsOf(() =>
          documents.update(database.request('tag'), tag, { articles: [id] }, answer),
        )) <= 9,
      )
      assert.equal(
        await statementsOf(() => documents.remove(database.request('article', { locale: '*' }), id)),
        4,
      )
    })
  })
})
