import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refusal, refusedPaths } from '../../../test/documents/refused.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { servedValues } from './entries.ts'

onEachEngine((engine) => {
  let database: TestDatabase
  let tags: string[]
  before(async () => {
    database = await openTestDatabase(engine)
    tags = await Promise.all(['a', 'b', 'c'].map((label) => database.create('tag', { label })))
  })
  after(() => database.close())

  const parts = async (id: string, view = {}) => database.entries('article', id, 'parts', view)
  const titles = async (id: string, view = {}) =>
    (await parts(id, view)).map((entry) => servedValues(entry).title)
  const sectionTags = (id: string, entry: number, view = {}) =>
    database.related('article', id, 'tags', view, { id: entry, component: 'part.section' })

  describe('component entries', () => {
    it('have ids and documentIds that the draft and the published version share', async () => {
      const id = await database.create('article', { title: 'Ids', parts: [{ title: 'A' }, { title: 'B' }] })
      const [published, draft] = [await parts(id), await parts(id, { status: 'draft' })]
      assert.deepEqual(published, draft)
      assert.equal(new Set(published.flatMap(({ i, d }) => [i, d])).size, 4)
      for (const { d } of published) assert.match(d, /^[a-z][a-z0-9]{23}$/)
    })

    it('are replaced as a whole when sent without ids', async () => {
      const id = await database.create('article', {
        title: 'Replace',
        parts: [{ title: 'A', tags: [tags[0]] }],
      })
      const [old] = await parts(id)
      await database.update('article', id, { parts: [{ title: 'B' }] })
      const [entry] = await parts(id)
      assert.notEqual(entry?.i, old?.i)
      assert.deepEqual(servedValues(entry ?? { i: 0, d: '', c: '', s: '' }), { title: 'B', weight: 1 })
      const left = (await database.edges()).filter((edge) => edge.entry === old?.i)
      assert.deepEqual(left, [])
    })

    it('keep omitted values, private values, relations and nested entries when sent with their id', async () => {
      const file = await database.file()
      const section = {
        title: 'A',
        weight: 5,
        hidden: 'h',
        picture: file.id,
        tags: [tags[1], tags[0]],
        items: [{ label: 'i', tag: tags[2] }],
      }
      const id = await database.create('article', { title: 'Keep', parts: [section] })
      const [old] = await parts(id)
      await database.update('article', id, { parts: [{ title: 'New' }, { id: old?.i, title: 'A2' }] })
      const [fresh, kept] = await parts(id)
      assert.notEqual(fresh?.i, old?.i)
      assert.deepEqual({ ...kept, s: '' }, { ...old, s: '' })
      assert.equal(kept?.s, ',"title":"A2","weight":5')
      assert.deepEqual(kept?.p, { hidden: 'h' })
      for (const status of ['draft', 'published'] as const) {
        assert.deepEqual(await sectionTags(id, Number(old?.i), { status }), [tags[1], tags[0]])
        const item = Number(old?.n?.items?.[0]?.i)
        const itemTag = await database.related(
          'article',
          id,
          'tag',
          { status },
          { id: item, component: 'part.item' },
        )
        assert.deepEqual(itemTag, [tags[2]])
      }
    })

    it('can also be sent with their documentId', async () => {
      const id = await database.create('article', { title: 'Named', parts: [{ title: 'A', weight: 9 }] })
      const [old] = await parts(id)
      await database.update('article', id, { parts: [{ documentId: old?.d, title: 'B' }] })
      assert.equal((await parts(id))[0]?.s, ',"title":"B","weight":9')
      assert.equal((await parts(id))[0]?.i, old?.i)
    })

    it('can be reordered by id', async () => {
      const id = await database.create('article', { title: 'Order', parts: [{ title: 'A' }, { title: 'B' }] })
      const [a, b] = await parts(id)
      await database.update('article', id, { parts: [{ id: b?.i }, { id: a?.i }] })
      assert.deepEqual(await titles(id), ['B', 'A'])
    })

    it('apply relation operations to their existing relations', async () => {
      const id = await database.create('article', {
        title: 'Ops',
        parts: [{ title: 'A', tags: [tags[0], tags[1]] }],
      })
      const [entry] = await parts(id)
      const change = (operation: unknown) =>
        database.update('article', id, { parts: [{ id: entry?.i, tags: operation }] })
      await change({
        connect: [{ documentId: tags[2], position: { before: tags[1] } }],
        disconnect: [tags[0]],
      })
      assert.deepEqual(await sectionTags(id, Number(entry?.i)), [tags[2], tags[1]])
      await change(null)
      assert.deepEqual(await sectionTags(id, Number(entry?.i)), [])
    })

    it('that only the published version has can be restored', async () => {
      const id = await database.create('article', {
        title: 'Back',
        parts: [{ title: 'A', weight: 7, tags: [tags[0]] }, { title: 'B' }],
      })
      const [first, second] = await parts(id)
      await database.update('article', id, { parts: [{ id: second?.i }] }, { status: 'draft' })
      await database.update(
        'article',
        id,
        { parts: [{ id: second?.i }, { id: first?.i }] },
        { status: 'draft' },
      )
      assert.deepEqual(await titles(id, { status: 'draft' }), ['B', 'A'])
      assert.equal((await parts(id, { status: 'draft' }))[1]?.s, ',"title":"A","weight":7')
      assert.deepEqual(await sectionTags(id, Number(first?.i), { status: 'draft' }), [tags[0]])
    })

    it('of another document are refused, and so are duplicates', async () => {
      const [id, other] = [
        await database.create('article', { title: 'Mine', parts: [{ title: 'A', items: [{ label: 'i' }] }] }),
        await database.create('article', { title: 'Other', parts: [{ title: 'A' }] }),
      ]
      const [mine] = await parts(id)
      const [foreign] = await parts(other)
      const put = (entries: unknown) => database.update('article', id, { parts: entries })
      assert.equal((await refusal(put([{ id: foreign?.i }]))).name, 'ApplicationError')
      assert.equal((await refusal(put([{ id: 999999 }]))).name, 'ApplicationError')
      assert.equal((await refusal(put([{ id: mine?.n?.items?.[0]?.i }]))).name, 'ApplicationError')
      assert.deepEqual(await refusedPaths(put([{ id: mine?.i }, { id: mine?.i }])), ['parts'])
      const item = { id: mine?.n?.items?.[0]?.i }
      assert.deepEqual(await refusedPaths(put([{ id: mine?.i }, { title: 'B', items: [item] }])), ['parts'])
      assert.deepEqual(await refusedPaths(put([{ id: true }])), ['parts.0.id'])
      assert.deepEqual(await titles(id), ['A'])
    })

    it('can move between lists of the same attribute with all their values', async () => {
      const id = await database.create('article', {
        title: 'Move',
        parts: [{ title: 'A', items: [{ label: 'i', tag: tags[0] }] }, { title: 'B' }],
      })
      const [a, b] = await parts(id)
      const item = a?.n?.items?.[0]?.i
      await database.update('article', id, {
        parts: [
          { id: a?.i, items: [] },
          { id: b?.i, items: [{ id: item }] },
        ],
      })
      assert.equal((await parts(id))[1]?.n?.items?.[0]?.i, item)
      const kept = await database.related(
        'article',
        id,
        'tag',
        {},
        { id: Number(item), component: 'part.item' },
      )
      assert.deepEqual(kept, [tags[0]])
    })

    it('are cleared by null, both single ones and lists', async () => {
      const id = await database.create('article', {
        title: 'Clear',
        place: { street: 'S', near: [tags[0]] },
        parts: [{ title: 'A', tags: [tags[1]] }],
        zone: [{ __component: 'part.quote', text: 'q' }],
      })
      await database.update('article', id, { place: null, parts: null, zone: null })
      for (const attribute of ['place', 'parts', 'zone']) {
        for (const status of ['draft', 'published'] as const) {
          assert.deepEqual(await database.entries('article', id, attribute, { status }), [])
        }
      }
      const rows = [await database.row('article', id), await database.row('article', id, { status: 'draft' })]
      const sources = rows.map((row) => row?.id)
      assert.deepEqual(
        (await database.edges()).filter((edge) => Number(edge.entry) > 0 && sources.includes(edge.source)),
        [],
      )
    })

    it('of a single component keep nested entries until they are cleared', async () => {
      const id = await database.create('article', {
        title: 'Nested',
        place: { street: 'S', zip: '12345', geo: { lat: 1 } },
      })
      const place = async () => (await database.entries('article', id, 'place'))[0]
      const entry = (await place())?.i
      await database.update('article', id, { place: { id: entry, street: 'T' } })
      assert.deepEqual(
        [(await place())?.s, (await place())?.n?.geo?.length],
        [',"street":"T","zip":"12345"', 1],
      )
      await database.update('article', id, { place: { id: entry, geo: null } })
      assert.deepEqual(
        [(await place())?.s, (await place())?.n?.geo],
        [',"street":"T","zip":"12345"', undefined],
      )
      await database.update('article', id, { place: { street: 'U' } })
      assert.equal((await place())?.s, ',"street":"U","zip":null')
    })
  })

  describe('zone entries', () => {
    it('of several components keep their order and their ids', async () => {
      const id = await database.create('article', {
        title: 'Zone',
        zone: [
          { __component: 'part.quote', text: '1' },
          { __component: 'part.section', title: '2', tags: [tags[0]] },
        ],
      })
      const [quote, section] = await database.entries('article', id, 'zone')
      await database.update('article', id, {
        zone: [
          { __component: 'part.section', id: section?.i },
          { __component: 'part.quote', text: 'new' },
          { __component: 'part.quote', id: quote?.i },
        ],
      })
      const entries = await database.entries('article', id, 'zone')
      assert.deepEqual(
        entries.map((entry) => entry.c),
        ['part.section', 'part.quote', 'part.quote'],
      )
      assert.deepEqual([entries[0]?.i, entries[2]?.i], [section?.i, quote?.i])
      assert.deepEqual(await sectionTags(id, Number(section?.i)), [tags[0]])
      const wrong = { zone: [{ __component: 'part.quote', id: section?.i }] }
      assert.equal((await refusal(database.update('article', id, wrong))).name, 'ApplicationError')
    })
  })
})
