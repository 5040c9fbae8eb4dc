import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refusedPaths } from '../../../test/documents/refused.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import type { Documents } from '../documents.ts'

onEachEngine((engine) => {
  let database: TestDatabase
  let elsewhere: TestDatabase
  before(async () => {
    database = await openTestDatabase(engine)
    elsewhere = await openTestDatabase(engine, { url: database.url })
  })
  after(async () => {
    await elsewhere.close()
    await database.close()
  })

  const article = (tags: readonly string[]) => database.create('article', { title: 'Names tags', tags })
  const isRefused = (naming: Promise<unknown>) =>
    refusedPaths(naming).then((paths) => assert.deepEqual(paths, ['tags.0']))

  /** A tag that articles refer to. */
  async function namedTag(label: string) {
    const tag = await database.create('tag', { label })
    await article([tag])
    await article([tag])
    return tag
  }

  const inOneTransaction = (work: (documents: Documents) => Promise<void>) =>
    database.store.write(async (transaction) => work(database.documents.within(transaction)))

  const removing = (tag: string, then: (documents: Documents) => Promise<unknown>) =>
    inOneTransaction(async (documents) => {
      await documents.remove(database.request('tag'), tag)
      await then(documents)
    })

  const undone = new Error('undone')
  const fail = async () => {
    throw undone
  }

  describe('a document that an earlier write referred to', () => {
    it('cannot be referred to after it is removed', async () => {
      const tag = await namedTag('removed')
      await database.remove('tag', tag)
      await isRefused(article([tag]))
    })

    it('cannot be referred to after another process has removed it', async () => {
      const [tag, other] = [await namedTag('removed elsewhere'), await namedTag('kept')]
      await elsewhere.remove('tag', tag)
      await isRefused(article([tag]))
      assert.deepEqual(await database.related('article', await article([other]), 'tags'), [other])
    })

    it('is not connected by a write that was requested during its removal', async () => {
      const tag = await namedTag('removed meanwhile')
      await Promise.allSettled([database.remove('tag', tag), article([tag])])
      assert.deepEqual(
        (await database.edges()).filter(({ target }) => target === tag),
        [],
      )
    })

    it('cannot be referred to later in the transaction that removes it', async () => {
      const tag = await namedTag('removed before')
      const naming = (documents: Documents) =>
        documents.create(database.request('article'), { title: 'Too late', tags: [tag] }, async () => null)
      await isRefused(removing(tag, naming))
      assert.deepEqual(await database.related('article', await article([tag]), 'tags'), [tag])
    })

    it('can be referred to if its removal fails', async () => {
      const tag = await namedTag('kept after all')
      const [removed, named] = await Promise.allSettled([removing(tag, fail), article([tag])])
      assert.deepEqual([removed, named?.status], [{ status: 'rejected', reason: undone }, 'fulfilled'])
      assert.deepEqual(await database.related('article', await article([tag]), 'tags'), [tag])
    })
  })

  describe('a document whose creation is rolled back', () => {
    it('can be referred to in its own transaction, but not in others', async () => {
      let tag = ''
      await assert.rejects(
        inOneTransaction(async (documents) => {
          tag = await documents.create(
            database.request('tag'),
            { label: 'unmade' },
            async (_, written) => written.documentId,
          )
          await documents.create(
            database.request('article'),
            { title: 'In time', tags: [tag] },
            async () => null,
          )
          await fail()
        }),
        undone,
      )
      await isRefused(article([tag]))
    })
  })

  it('is added at the end of every list, for any number of lists in one write', async () => {
    const tags: string[] = []
    for (let count = 0; count < 70; count++)
      tags.push(await database.create('tag', { label: `list ${count}` }))
    const first = await article(tags)
    const second = await article(tags.slice(35))
    const third = await article(tags)
    for (const status of ['draft', 'published'] as const) {
      for (const [index, tag] of tags.entries())
        assert.deepEqual(
          await database.related('tag', tag, 'articles', { status }),
          index < 35 ? [first, third] : [first, second, third],
        )
      assert.deepEqual(await database.related('article', third, 'tags', { status }), tags)
    }
  })
})
