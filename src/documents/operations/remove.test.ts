import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refusal } from '../../../test/documents/refused.ts'
import { openWorld, type World } from '../../../test/documents/world.ts'
import { onEachEngine } from '../../../test/support/engines.ts'

const DRAFT = { status: 'draft' } as const

onEachEngine((engine) => {
  let world: World
  before(async () => {
    world = await openWorld(engine)
  })
  after(() => world.close())

  describe('removing', () => {
    it('deletes both versions and all edges from and to the document, and ignores a missing document', async () => {
      const tag = await world.create('tag', { label: 'kept' })
      const other = await world.create('article', { title: 'Other' })
      const id = await world.create('article', {
        title: 'Gone',
        tags: [tag],
        related: [other],
        parts: [{ title: 'P', tags: [tag] }],
      })
      await world.update('article', other, { related: [id], parent: id })
      await world.remove('article', id)
      assert.equal(await world.row('article', id), null)
      assert.equal(await world.row('article', id, DRAFT), null)
      assert.deepEqual(await world.related('article', other, 'related'), [])
      assert.deepEqual(await world.related('article', other, 'parent', DRAFT), [])
      assert.deepEqual(await world.edges(), [])
      await world.remove('article', id)
      await world.remove('article', 'nothing')
    })

    it('deletes one locale, by default the default locale, and edges to the document with the last one', async () => {
      const id = await world.create('article', { title: 'English' })
      await world.update('article', id, { title: 'Français' }, { locale: 'fr' })
      const other = await world.create('article', { title: 'Other', related: [id] })
      await world.remove('article', id, 'zz')
      assert.ok(await world.row('article', id))
      await world.remove('article', id)
      assert.equal(await world.row('article', id), null)
      assert.ok(await world.row('article', id, { locale: 'fr' }))
      assert.deepEqual(await world.related('article', other, 'related'), [id])
      await world.remove('article', id, 'fr')
      assert.deepEqual(await world.related('article', other, 'related'), [])
    })

    it('deletes all locales with *', async () => {
      const id = await world.create('article', { title: 'English' })
      await world.update('article', id, { title: 'Français' }, { locale: 'fr' })
      await world.remove('article', id, '*')
      assert.equal(await world.row('article', id, { locale: 'fr', ...DRAFT }), null)
      assert.equal(await world.row('article', id, DRAFT), null)
    })

    it('never reuses an id', async () => {
      const id = await world.create('tag', { label: 'first' })
      const number = Number((await world.row('tag', id))?.id)
      await world.remove('tag', id)
      const next = await world.create('tag', { label: 'second' })
      assert.ok(Number((await world.row('tag', next))?.id) > number)
    })

    it('checks If-Match', async () => {
      const id = await world.create('tag', { label: 'matched' })
      const remove = (ifMatch: string) => world.documents.remove(world.request('tag'), id, { ifMatch })
      const row = (await world.row('tag', id))?.id
      assert.equal((await refusal(remove(`"${row}.7-x"`))).status, 412)
      await remove(`"${row}.1-x"`)
      assert.equal(await world.row('tag', id), null)
    })
  })
})
