import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refusal, refusedPaths } from '../../../test/documents/refused.ts'
import { openTestDatabase, servedOf, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'

const DRAFT = { status: 'draft' } as const

onEachEngine((engine) => {
  let database: TestDatabase
  const tags: string[] = []
  before(async () => {
    database = await openTestDatabase(engine)
    for (const label of 'abcd') tags.push(await database.create('tag', { label }))
  })
  after(() => database.close())

  describe('publishing', () => {
    it('updates the published row in place: same id, same order of relations, same entries', async () => {
      const [a, b, c] = tags
      const id = await database.create('article', {
        title: 'In place',
        tags: [c, a],
        parts: [{ title: 'P', tags: [b, a] }],
      })
      const published = await database.row('article', id)
      const [entry] = await database.entries('article', id, 'parts')
      await database.update(
        'article',
        id,
        { title: 'Changed', tags: { connect: [{ documentId: b, position: { start: true } }] } },
        DRAFT,
      )
      assert.deepEqual(await database.related('article', id, 'tags'), [c, a])
      const written = await database.act('publish', 'article', id)
      assert.deepEqual(written, { documentId: id, locale: 'en', status: 'published' })
      const row = await database.row('article', id)
      assert.deepEqual([row?.id, row?.created_at], [published?.id, published?.created_at])
      assert.equal(servedOf(row).title, 'Changed')
      assert.deepEqual(await database.related('article', id, 'tags'), [b, c, a])
      const part = { id: Number(entry?.i), component: 'part.section' }
      assert.deepEqual(await database.related('article', id, 'tags', {}, part), [b, a])
      assert.deepEqual(await database.entries('article', id, 'parts'), [entry])
    })

    it('checks the whole draft, and changes nothing if it is incomplete', async () => {
      const id = await database.create('article', { body: 'no title', place: { zip: '1' } }, DRAFT)
      const before = await database.row('article', id, DRAFT)
      assert.deepEqual(await refusedPaths(database.act('publish', 'article', id)), [
        'place.street',
        'place.zip',
        'title',
      ])
      assert.deepEqual(await refusedPaths(database.update('article', id, { body: 'changed' })), [
        'place.street',
        'place.zip',
        'title',
      ])
      assert.deepEqual(await database.row('article', id, DRAFT), before)
      assert.equal(await database.row('article', id), null)
    })

    it('leaves a draft modified that is saved in the same millisecond or with an earlier clock', async () => {
      let time = Date.parse('2026-05-04T03:02:01.000Z')
      const still = await openTestDatabase(engine, { now: () => new Date(time) })
      const timeOf = async (id: string, status: 'draft' | 'published') =>
        String((await still.row('article', id, { status }))?.updated_at)
      for (const back of [0, 5_000]) {
        const id = await still.create('article', { title: 'Both' })
        time -= back
        await still.update('article', id, { title: 'Draft' }, { status: 'draft' })
        assert.ok((await timeOf(id, 'draft')) > (await timeOf(id, 'published')))
        await still.update('article', id, { title: 'Published' })
        assert.equal(await timeOf(id, 'draft'), await timeOf(id, 'published'))
      }
      await still.close()
    })

    it('gives both versions the same time', async () => {
      const id = await database.create('article', { title: 'Times' })
      await database.update('article', id, { views: 1 }, DRAFT)
      await database.act('publish', 'article', id)
      assert.equal(
        (await database.row('article', id))?.updated_at,
        (await database.row('article', id, DRAFT))?.updated_at,
      )
    })
  })

  describe('unpublishing, discarding and publishing again', () => {
    it('keeps content, entries and the order of relations on both sides', async () => {
      const [a, b, c] = tags
      const [x, y] = [
        await database.create('article', {
          title: 'XX',
          tags: [c, a, b],
          parts: [{ title: 'P', tags: [b] }],
        }),
        await database.create('article', { title: 'YY', tags: [a, c] }),
      ]
      const [entry] = await database.entries('article', x, 'parts')
      const part = { id: Number(entry?.i), component: 'part.section' }
      const order = await database.related('tag', a ?? '', 'articles')
      const draftId = (await database.row('article', x, DRAFT))?.id
      assert.deepEqual(await database.act('unpublish', 'article', x), {
        documentId: x,
        locale: 'en',
        status: 'draft',
      })
      assert.equal(await database.row('article', x), null)
      assert.deepEqual(
        await database.related('tag', a ?? '', 'articles'),
        order.filter((one) => one !== x),
      )
      assert.deepEqual(await database.related('article', x, 'tags', DRAFT), [c, a, b])
      await database.act('unpublish', 'article', x)
      await database.act('publish', 'article', x)
      assert.deepEqual(await database.related('article', x, 'tags'), [c, a, b])
      assert.deepEqual(await database.related('tag', a ?? '', 'articles'), order)
      assert.deepEqual(await database.related('article', x, 'tags', {}, part), [b])
      await database.update('article', x, { title: 'Not this', tags: [b], parts: [{ title: 'New' }] }, DRAFT)
      assert.deepEqual(await database.act('discard', 'article', x), {
        documentId: x,
        locale: 'en',
        status: 'draft',
      })
      const draft = await database.row('article', x, DRAFT)
      assert.deepEqual([draft?.id, servedOf(draft).title, draft?.published_at], [draftId, 'XX', null])
      assert.deepEqual(await database.related('article', x, 'tags', DRAFT), [c, a, b])
      assert.deepEqual(await database.related('article', x, 'tags', DRAFT, part), [b])
      assert.deepEqual(await database.entries('article', x, 'parts', DRAFT), [entry])
      assert.deepEqual((await database.related('tag', c ?? '', 'articles')).slice(-2), [x, y])
      assert.equal(draft?.updated_at, (await database.row('article', x))?.updated_at)
    })

    it('leaves no edges behind when the published version is removed', async () => {
      const id = await database.create('article', {
        title: 'Edges',
        tags: [tags[0]],
        parts: [{ title: 'P', tags }],
      })
      const source = (await database.row('article', id))?.id
      await database.act('unpublish', 'article', id)
      const articleRelations = database.layout.relationId({
        type: 'api::article.article',
        component: null,
        attribute: 'tags',
      })
      const left = (await database.edges()).filter(
        (edge) => edge.source === source && edge.relation === articleRelations,
      )
      assert.deepEqual(left, [])
    })

    it('refuses actions that the versions do not allow', async () => {
      const draft = await database.create('article', { title: 'Draft' }, DRAFT)
      assert.equal((await refusal(database.act('discard', 'article', draft))).name, 'ApplicationError')
      assert.equal((await refusal(database.act('publish', 'article', 'nothing'))).status, 404)
      assert.equal((await refusal(database.act('unpublish', 'article', draft, 'fr'))).status, 404)
      assert.equal((await refusal(database.act('publish', 'tag', tags[0] ?? ''))).name, 'ApplicationError')
    })
  })
})
