import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refusal } from '../../../test/documents/refused.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'

const DRAFT = { status: 'draft' } as const

onEachEngine((engine) => {
  let database: TestDatabase
  before(async () => {
    database = await openTestDatabase(engine)
  })
  after(() => database.close())

  describe('removing', () => {
    it('deletes both versions and all edges from and to the document, and ignores a missing document', async () => {
      const tag = await database.create('tag', { label: 'kept' })
      const other = await database.create('article', { title: 'Other' })
      const id = await database.create('article', {
        title: 'Gone',
        tags: [tag],
        related: [other],
        parts: [{ title: 'P', tags: [tag] }],
      })
      await database.update('article', other, { related: [id], parent: id })
      await database.remove('article', id)
      assert.equal(await database.row('article', id), null)
      assert.equal(await database.row('article', id, DRAFT), null)
      assert.deepEqual(await database.related('article', other, 'related'), [])
      assert.deepEqual(await database.related('article', other, 'parent', DRAFT), [])
      assert.deepEqual(await database.edges(), [])
      await database.remove('article', id)
      await database.remove('article', 'nothing')
    })

    it('deletes one locale, by default the default locale, and edges to the document with the last one', async () => {
      const id = await database.create('article', { title: 'English' })
      await database.update('article', id, { title: 'Français' }, { locale: 'fr' })
      const other = await database.create('article', { title: 'Other', related: [id] })
      await database.remove('article', id, 'zz')
      assert.ok(await database.row('article', id))
      await database.remove('article', id)
      assert.equal(await database.row('article', id), null)
      assert.ok(await database.row('article', id, { locale: 'fr' }))
      assert.deepEqual(await database.related('article', other, 'related'), [id])
      await database.remove('article', id, 'fr')
      assert.deepEqual(await database.related('article', other, 'related'), [])
    })

    it('deletes all locales with *', async () => {
      const id = await database.create('article', { title: 'English' })
      await database.update('article', id, { title: 'Français' }, { locale: 'fr' })
      await database.remove('article', id, '*')
      assert.equal(await database.row('article', id, { locale: 'fr', ...DRAFT }), null)
      assert.equal(await database.row('article', id, DRAFT), null)
    })

    it('never reuses an id', async () => {
      const id = await database.create('tag', { label: 'first' })
      const number = Number((await database.row('tag', id))?.id)
      await database.remove('tag', id)
      const next = await database.create('tag', { label: 'second' })
      assert.ok(Number((await database.row('tag', next))?.id) > number)
    })

    it('checks If-Match', async () => {
      const id = await database.create('tag', { label: 'matched' })
      const remove = (ifMatch: string) => database.documents.remove(database.request('tag'), id, { ifMatch })
      const row = (await database.row('tag', id))?.id
      assert.equal((await refusal(remove(`"${row}.7-x"`))).status, 412)
      await remove(`"${row}.1-x"`)
      assert.equal(await database.row('tag', id), null)
    })
  })
})
