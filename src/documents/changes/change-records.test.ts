import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { type Principal, type Scope, systemScope } from '../../query/scope.ts'
import type { Written } from '../contract.ts'
import type { ChangeRecord, ChangeSink } from './change-record.ts'

const DRAFT = { status: 'draft' } as const
const FRENCH = { locale: 'fr' } as const

onEachEngine((engine) => {
  let database: TestDatabase
  let records: ChangeRecord[] = []
  let refusal: Error | null = null
  const sink: ChangeSink = {
    async record(_transaction, made) {
      if (refusal) throw refusal
      records.push(...made)
    },
  }
  before(async () => {
    database = await openTestDatabase(engine, { sinks: [sink] })
  })
  after(() => database.close())

  /** The records of some writes, each as `type action locale`. */
  async function recordsOf(work: () => Promise<unknown>): Promise<string[]> {
    records = []
    await work()
    return records.map(({ type, action, locale }) =>
      [type.singular, action, locale].filter((part) => part !== '').join(' '),
    )
  }

  const author = (name: string, view = {}) => database.create('author', { name }, view)
  const article = (data: object = {}, view = {}) =>
    database.create('article', { title: 'An article', parts: [{ title: 'Part' }], ...data }, view)

  describe('a write makes a record for each of its actions', () => {
    it('creating a document with and without drafts', async () => {
      assert.deepEqual(await recordsOf(() => author('A', DRAFT)), ['author create'])
      assert.deepEqual(await recordsOf(() => author('B')), ['author create', 'author publish'])
      assert.deepEqual(await recordsOf(() => database.create('tag', { label: 'one' })), ['tag create'])
    })

    it('updating, publishing, unpublishing and discarding', async () => {
      const id = await author('C', DRAFT)
      const act = (action: 'publish' | 'unpublish' | 'discard') => () => database.act(action, 'author', id)
      const update = (view: object) => () => database.update('author', id, { name: 'D' }, view)
      assert.deepEqual(await recordsOf(update(DRAFT)), ['author update'])
      assert.deepEqual(await recordsOf(update({})), ['author update', 'author publish'])
      await update(DRAFT)()
      assert.deepEqual(await recordsOf(act('discard')), ['author discard'])
      assert.deepEqual(await recordsOf(act('unpublish')), ['author unpublish'])
      assert.deepEqual(await recordsOf(act('unpublish')), [])
      assert.deepEqual(await recordsOf(act('publish')), ['author publish'])
      assert.deepEqual(await recordsOf(() => database.remove('author', id)), ['author delete'])
      assert.deepEqual(await recordsOf(() => database.remove('author', id)), [])
    })

    it('a new locale, values that all locales share, and removing one or all of them', async () => {
      const id = await article({}, DRAFT)
      const french = { title: 'Un article', parts: [{ title: 'Partie' }] }
      const inFrench = () => database.update('article', id, french, { ...DRAFT, ...FRENCH })
      assert.deepEqual(await recordsOf(inFrench), ['article create fr'])
      const shared = () => database.update('article', id, { views: 7 }, DRAFT)
      assert.deepEqual(await recordsOf(shared), ['article update en', 'article update fr'])
      const own = () => database.update('article', id, { title: 'Another' }, DRAFT)
      assert.deepEqual(await recordsOf(own), ['article update en'])
      assert.deepEqual(await recordsOf(() => database.remove('article', id, 'fr')), ['article delete fr'])
      await inFrench()
      assert.deepEqual((await recordsOf(() => database.remove('article', id, '*'))).sort(), [
        'article delete en',
        'article delete fr',
      ])
    })

    it('the document of a single type', async () => {
      const save = (headline: string) =>
        database.documents.upsertSingle(database.request('home', DRAFT), { headline }, async () => null)
      assert.deepEqual(await recordsOf(() => save('One')), ['home create en'])
      assert.deepEqual(await recordsOf(() => save('Two')), ['home update en'])
      const publish = () => database.documents.publish(database.request('home'), null, async () => null)
      assert.deepEqual(await recordsOf(publish), ['home publish en'])
      const remove = () => database.documents.removeSingle(database.request('home'))
      assert.deepEqual(await recordsOf(remove), ['home delete en'])
    })

    it('every operation of a transaction', async () => {
      const both = () =>
        database.documents.transaction(async (_, documents) => {
          const tag = database.request('tag')
          const id = await documents.create(tag, { label: 'x' }, async (_, { documentId }) => documentId)
          await documents.update(tag, id, { label: 'y' }, async () => null)
        })
      assert.deepEqual(await recordsOf(both), ['tag create', 'tag update'])
    })
  })

  describe('documents that change through the relations of others have records too', () => {
    it('when the inverse side is written and published', async () => {
      const one = await article()
      const writer = await author('Inverse', DRAFT)
      const connect = () => database.update('author', writer, { articles: [one] }, DRAFT)
      assert.deepEqual(await recordsOf(connect), ['author update', 'article update en'])
      const publish = () => database.act('publish', 'author', writer)
      assert.deepEqual(await recordsOf(publish), ['author publish', 'article publish en'])
      assert.equal(records[1]?.documentId, one)
    })

    it('when another document takes over their target', async () => {
      const editor = await database.create('person', { name: 'Editor' })
      const first = await article({ editor }, DRAFT)
      assert.deepEqual(await recordsOf(() => article({ editor }, DRAFT)), [
        'article create en',
        'article update en',
      ])
      assert.equal(records[1]?.documentId, first)
    })

    it('when their target is deleted, also inside components', async () => {
      const tag = await database.create('tag', { label: 'to delete' })
      const one = await article({ tags: [tag] }, DRAFT)
      const two = await article({ parts: [{ title: 'Tagged', tags: [tag] }] })
      const remove = () => database.remove('tag', tag)
      assert.deepEqual(await recordsOf(remove), [
        'tag delete',
        'article update en',
        'article update en',
        'article publish en',
      ])
      assert.deepEqual(new Set(records.slice(1).map(({ documentId }) => documentId)), new Set([one, two]))
      assert.equal(records[0]?.incoming.length, 3)
    })
  })

  it('a record names the caller, the request, the time and the versions', async () => {
    const principal: Principal = { kind: 'user', id: 7, documentId: 'someone', role: 'editor' }
    const scope: Scope = { ...systemScope, principal }
    const origin = { requestId: 'r-1', address: '192.0.2.1', userAgent: 'test' }
    const request = database.request('tag', { scope, origin })
    const idOf = async (_: unknown, one: Written) => one.documentId
    const documentId = await database.documents.create(request, { label: 'who' }, idOf)
    const record = records.at(-1)
    assert.deepEqual([record?.by, record?.origin, record?.documentId], [principal, origin, documentId])
    const { versions } = record ?? {}
    assert.equal(versions?.before.published, null)
    assert.equal(versions?.after.published?.values.get('label'), 'who')
    assert.equal(versions?.after.published?.updatedAt, record?.at)
    await database.remove('tag', documentId)
    assert.equal(records.at(-1)?.versions?.before.published?.values.get('label'), 'who')
  })

  it('a sink that fails refuses the write', async () => {
    refusal = new Error('The sink is full')
    try {
      await assert.rejects(database.create('tag', { label: 'refused' }), /The sink is full/)
    } finally {
      refusal = null
    }
    assert.ok(await database.create('tag', { label: 'refused' }))
  })
})
