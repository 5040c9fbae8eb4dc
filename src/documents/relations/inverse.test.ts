import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refusedPaths } from '../../../test/documents/refused.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'

onEachEngine((engine) => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase(engine)
  })
  after(() => database.close())

  let labels = 0
  const tag = (more: Record<string, unknown> = {}) =>
    database.create('tag', { label: `t${++labels}`, ...more })
  const article = (more: Record<string, unknown> = {}, view = {}) =>
    database.create('article', { title: 'Article', ...more }, view)
  const author = (more: Record<string, unknown> = {}, view = {}) =>
    database.create('author', { name: 'Author', ...more }, view)
  const DRAFT = { status: 'draft' } as const

  describe('the inverse side', () => {
    it('of a type without drafts changes both versions of the owners', async () => {
      const [x, y] = [await article(), await article({}, DRAFT)]
      const t = await tag({ articles: [y, x] })
      assert.deepEqual(await database.related('tag', t, 'articles'), [x])
      assert.deepEqual(await database.related('tag', t, 'articles', DRAFT), [y, x])
      assert.deepEqual(await database.related('article', x, 'tags'), [t])
      assert.deepEqual(await database.related('article', x, 'tags', DRAFT), [t])
      assert.deepEqual(await database.related('article', y, 'tags', DRAFT), [t])
      await database.act('publish', 'article', y)
      assert.deepEqual(await database.related('tag', t, 'articles'), [y, x])
    })

    it('has an order of its own, independent of the owners', async () => {
      const [x, y, z] = [await article(), await article(), await article()]
      const [t, u] = [await tag(), await tag()]
      for (const one of [x, y, z]) await database.update('article', one, { tags: [t, u] })
      assert.deepEqual(await database.related('tag', t, 'articles'), [x, y, z])
      await database.update('tag', t, { articles: { connect: [{ documentId: z, position: { before: x } }] } })
      await database.update('tag', u, { articles: [y, z, x] })
      assert.deepEqual(await database.related('tag', t, 'articles'), [z, x, y])
      assert.deepEqual(await database.related('tag', u, 'articles'), [y, z, x])
      for (const one of [x, y, z]) assert.deepEqual(await database.related('article', one, 'tags'), [t, u])
      await database.update('article', x, { tags: [u, t] })
      assert.deepEqual(await database.related('tag', t, 'articles'), [z, x, y])
      await database.update('tag', t, { articles: { disconnect: [x] } })
      assert.deepEqual(await database.related('article', x, 'tags'), [u])
    })

    it('uses the order of drafts if the published list lacks the anchor, and the reverse', async () => {
      const [x, y, z] = [await article(), await article({}, DRAFT), await article()]
      const t = await tag({ articles: [x, y, z] })
      const w = await article()
      await database.update('tag', t, { articles: { connect: [{ documentId: w, position: { after: y } }] } })
      assert.deepEqual(await database.related('tag', t, 'articles', DRAFT), [x, y, w, z])
      assert.deepEqual(await database.related('tag', t, 'articles'), [x, w, z])
      await database.update('article', x, { tags: [] }, DRAFT)
      const v = await article()
      await database.update('tag', t, { articles: { connect: [{ documentId: v, position: { before: x } }] } })
      assert.deepEqual(await database.related('tag', t, 'articles'), [v, x, w, z])
      assert.deepEqual(await database.related('tag', t, 'articles', DRAFT), [v, y, w, z])
      const stranger = await article()
      const wrong = { articles: { connect: [{ documentId: w, position: { before: stranger } }] } }
      assert.deepEqual(await refusedPaths(database.update('tag', t, wrong)), [
        'articles.connect.0.position.before',
      ])
    })

    it('takes over owners that can have one target only', async () => {
      const [a, b] = [await author(), await author()]
      const [x, y] = [await article({ author: a }), await article({ author: a })]
      await database.update('author', b, { articles: { connect: [x] } })
      assert.deepEqual(await database.related('author', a, 'articles'), [y])
      assert.deepEqual(await database.related('author', a, 'articles', DRAFT), [y])
      assert.deepEqual(await database.related('article', x, 'author'), [b])
      await database.update('author', a, { articles: [x] })
      assert.deepEqual(await database.related('author', b, 'articles'), [])
      assert.deepEqual(await database.related('article', y, 'author'), [])
      assert.deepEqual(await database.related('article', x, 'author', DRAFT), [a])
    })

    it('of a one-to-one moves and clears the owner', async () => {
      const [x, y] = [await article(), await article()]
      const p = await database.create('person', { name: 'P', edits: x })
      const q = await database.create('person', { name: 'Q', edits: y })
      await database.update('person', p, { edits: y })
      assert.deepEqual(await database.related('article', x, 'editor'), [])
      assert.deepEqual(await database.related('article', y, 'editor'), [p])
      assert.deepEqual(await database.related('person', q, 'edits'), [])
      await database.update('person', p, { edits: [x, y] })
      assert.deepEqual(await database.related('person', p, 'edits'), [y])
      await database.update('person', p, { edits: null })
      assert.deepEqual(await database.related('article', y, 'editor', DRAFT), [])
    })

    it('of a type with drafts changes drafts, and published rows on publishing', async () => {
      const [x, y] = [await article(), await article()]
      const a = await author({ articles: [x] })
      await database.update('author', a, { articles: [y, x] }, DRAFT)
      assert.deepEqual(await database.related('author', a, 'articles', DRAFT), [y, x])
      assert.deepEqual(await database.related('author', a, 'articles'), [x])
      assert.deepEqual(await database.related('article', y, 'author'), [])
      await database.act('publish', 'author', a)
      assert.deepEqual(await database.related('author', a, 'articles'), [y, x])
      assert.deepEqual(await database.related('article', y, 'author'), [a])
      await database.update('author', a, { articles: [] }, DRAFT)
      await database.act('discard', 'author', a)
      assert.deepEqual(await database.related('author', a, 'articles', DRAFT), [y, x])
      assert.deepEqual(await database.related('article', y, 'author', DRAFT), [a])
    })

    it('keeps owners that were never published when a draft is discarded', async () => {
      const x = await article({}, DRAFT)
      const a = await author()
      await database.update('article', x, { author: a }, DRAFT)
      await database.act('discard', 'author', a)
      assert.deepEqual(await database.related('article', x, 'author', DRAFT), [a])
    })

    it('can have the same type as the owner side', async () => {
      const [t, u, v] = [await tag(), await tag(), await tag()]
      await database.update('tag', t, { over: t })
      assert.deepEqual(await database.related('tag', t, 'under'), [t])
      await database.update('tag', t, { over: u, under: [v, t] })
      assert.deepEqual(await database.related('tag', t, 'over'), [t])
      assert.deepEqual(await database.related('tag', t, 'under'), [v, t])
      assert.deepEqual(await database.related('tag', u, 'under'), [])
      const [a, b] = [await author(), await author()]
      await database.update('author', a, { friends: [a, b], befriended: [b, a] })
      for (const view of [{}, DRAFT]) {
        assert.deepEqual(await database.related('author', a, 'friends', view), [a, b])
        assert.deepEqual(await database.related('author', a, 'befriended', view), [b, a])
        assert.deepEqual(await database.related('author', b, 'befriended', view), [a])
      }
    })

    it('refuses owners that have no version in the locale, and unknown ones', async () => {
      const french = await article({}, { locale: 'fr' })
      assert.deepEqual(await refusedPaths(database.create('author', { name: 'A', articles: [french] })), [
        'articles',
      ])
      assert.deepEqual(await refusedPaths(database.create('author', { name: 'A', articles: ['no'] })), [
        'articles.0',
      ])
    })

    it('changes only rows of its own locale if both types are localized', async () => {
      const [x, y] = [await article(), await article()]
      await database.update('article', x, { title: 'FR' }, { locale: 'fr' })
      await database.update('article', y, { title: 'FR' }, { locale: 'fr' })
      await database.update('article', x, { children: [y] }, { locale: 'fr' })
      assert.deepEqual(await database.related('article', y, 'parent', { locale: 'fr' }), [x])
      assert.deepEqual(await database.related('article', y, 'parent'), [])
      assert.deepEqual(await database.related('article', x, 'children', { locale: 'fr' }), [y])
    })
  })
})
