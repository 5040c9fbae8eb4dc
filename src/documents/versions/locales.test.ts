import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refusedPaths } from '../../../test/documents/refused.ts'
import {
  openTestDatabase,
  servedOf,
  type TestDatabase,
  type View,
} from '../../../test/documents/test-database.ts'
import { onEachEngine } from '../../../test/support/engines.ts'

const FR = { locale: 'fr' } as const
const DRAFT = { status: 'draft' } as const
const VIEWS: readonly View[] = [{}, DRAFT, FR, { ...FR, ...DRAFT }]

onEachEngine((engine) => {
  let database: TestDatabase
  let tag: string
  before(async () => {
    database = await openTestDatabase(engine)
    tag = await database.create('tag', { label: 't' })
  })
  after(() => database.close())

  describe('a new locale', () => {
    it('starts with the shared values; relations and localized attributes are empty', async () => {
      const [file, picture] = [await database.file(), await database.file()]
      const id = await database.create('article', {
        ...{ title: 'English', body: 'b', views: 5, code: 'C1', secret: 's', tags: [tag] },
        ...{ cover: file.id, gallery: [picture.id, file.id], place: { street: 'S', near: [tag] } },
        parts: [{ title: 'P' }],
      })
      assert.deepEqual(await refusedPaths(database.update('article', id, { body: 'c' }, FR)), ['title'])
      const written = await database.update('article', id, { title: 'Français' }, FR)
      const { documentId, locale, status } = written
      assert.deepEqual([documentId, locale, status], [id, 'fr', 'published'])
      for (const view of [FR, { ...FR, ...DRAFT }]) {
        const row = await database.row('article', id, view)
        const served = servedOf(row)
        assert.deepEqual(
          [served.title, served.body, served.views, served.code, served.locale],
          ['Français', null, 5, 'C1', 'fr'],
        )
        assert.equal(row?.a_secret, 's')
        assert.deepEqual(await database.related('article', id, 'cover', view), [file.documentId])
        assert.deepEqual(await database.related('article', id, 'gallery', view), [
          picture.documentId,
          file.documentId,
        ])
        assert.deepEqual(await database.related('article', id, 'tags', view), [])
        assert.deepEqual(await database.entries('article', id, 'parts', view), [])
        const [place] = await database.entries('article', id, 'place', view)
        assert.deepEqual(place, (await database.entries('article', id, 'place'))[0])
        const near = await database.related('article', id, 'near', view, {
          id: Number(place?.i),
          component: 'part.place',
        })
        assert.deepEqual(near, [tag])
      }
    })

    it('can have only a draft, or be the first locale', async () => {
      const id = await database.create('article', { title: 'Premier', views: 2 }, FR)
      assert.equal(await database.row('article', id), null)
      await database.update('article', id, { title: 'First' }, DRAFT)
      assert.equal(await database.row('article', id), null)
      assert.equal((await database.row('article', id, DRAFT))?.a_views, 2)
    })
  })

  describe('a value that is not localized', () => {
    const both = async (published: boolean) => {
      const id = await database.create('article', { title: 'English', views: 1 })
      await database.update('article', id, { title: 'Français' }, { ...FR, ...(published ? {} : DRAFT) })
      return id
    }
    const views = async (id: string) =>
      Promise.all(VIEWS.map(async (view) => (await database.row('article', id, view))?.a_views ?? null))

    it('is copied to every locale: from draft to drafts, from published to published versions', async () => {
      const id = await both(true)
      await database.update('article', id, { views: 2 })
      assert.deepEqual(await views(id), [2, 2, 2, 2])
      await database.update('article', id, { views: 3 }, { ...FR, ...DRAFT })
      assert.deepEqual(await views(id), [2, 3, 2, 3])
      await database.act('publish', 'article', id, 'fr')
      assert.deepEqual(await views(id), [3, 3, 3, 3])
      await database.update('article', id, { views: 4 }, DRAFT)
      await database.act('discard', 'article', id)
      assert.deepEqual(await views(id), [3, 3, 3, 3])
      assert.deepEqual(
        await Promise.all(VIEWS.map(async (view) => servedOf(await database.row('article', id, view)).title)),
        ['English', 'English', 'Français', 'Français'],
      )
    })

    it('is copied to a locale that has only a draft', async () => {
      const id = await both(false)
      await database.update('article', id, { views: 9 })
      assert.deepEqual(await views(id), [9, 9, null, 9])
    })

    it('can be a component with its relations, or media, but not a relation of the document', async () => {
      const id = await both(true)
      const file = await database.file()
      await database.update('article', id, {
        place: { street: 'New', near: [tag] },
        cover: file.id,
        tags: [tag],
      })
      for (const view of VIEWS) {
        const [place] = await database.entries('article', id, 'place', view)
        const near = await database.related('article', id, 'near', view, {
          id: Number(place?.i),
          component: 'part.place',
        })
        assert.deepEqual(near, [tag])
        assert.deepEqual(await database.related('article', id, 'cover', view), [file.documentId])
        assert.deepEqual(
          await database.related('article', id, 'tags', view),
          view.locale === 'fr' ? [] : [tag],
        )
      }
      await database.update('article', id, { place: null, cover: null }, FR)
      for (const view of VIEWS) {
        assert.deepEqual(await database.entries('article', id, 'place', view), [])
        assert.deepEqual(await database.related('article', id, 'cover', view), [])
      }
      const sources = await Promise.all(
        VIEWS.map(async (view) => (await database.row('article', id, view))?.id),
      )
      const left = (await database.edges()).filter(
        (edge) => Number(edge.entry) > 0 && sources.includes(edge.source),
      )
      assert.deepEqual(left, [])
    })

    it('does not make another locale modified if both its versions change equally', async () => {
      const id = await both(true)
      await database.update('article', id, { views: 7 })
      const [published, draft] = [
        await database.row('article', id, FR),
        await database.row('article', id, { ...FR, ...DRAFT }),
      ]
      assert.equal(published?.updated_at, draft?.updated_at)
      await database.update('article', id, { views: 8 }, DRAFT)
      const changed = await database.row('article', id, { ...FR, ...DRAFT })
      assert.notEqual((await database.row('article', id, FR))?.updated_at, changed?.updated_at)
    })

    describe('changed in drafts', () => {
      const times = async (id: string, view: View = {}) => {
        const [draft, published] = [
          await database.row('article', id, { ...view, ...DRAFT }),
          await database.row('article', id, view),
        ]
        return [String(draft?.updated_at), String(published?.updated_at)] as const
      }
      const isModified = async (id: string, view: View = {}) => {
        const [draft, published] = await times(id, view)
        return draft > published
      }
      const changedInFrench = async () => {
        const id = await both(true)
        await database.update('article', id, { views: 2 }, { ...FR, ...DRAFT })
        assert.deepEqual([await isModified(id), await isModified(id, FR)], [true, true])
        return id
      }

      it('and discarded in one locale, leaves no other locale modified', async () => {
        const id = await changedInFrench()
        const [, published] = await times(id)
        await database.act('discard', 'article', id, 'fr')
        assert.deepEqual(await times(id), [published, published])
        assert.equal(await isModified(id, FR), false)
      })

      it('and published in one locale, leaves no other locale modified', async () => {
        const id = await changedInFrench()
        const [draft] = await times(id)
        await database.act('publish', 'article', id, 'fr')
        assert.deepEqual(await times(id), [draft, draft])
        assert.equal(await isModified(id, FR), false)
        const again = await changedInFrench()
        await database.update('article', again, { views: 3 }, FR)
        assert.deepEqual([await isModified(again), await isModified(again, FR)], [false, false])
      })

      it('and changed back, leaves no other locale modified', async () => {
        const id = await changedInFrench()
        await database.update('article', id, { views: 1 }, { ...FR, ...DRAFT })
        assert.equal(await isModified(id), false)
      })

      it('leaves another locale modified that has other changes, including relations and entries', async () => {
        const own = [{ body: 'own' }, { tags: [tag] }, { parts: [{ title: 'own' }] }]
        for (const changes of own) {
          const id = await changedInFrench()
          await database.update('article', id, changes, DRAFT)
          await database.update('article', id, { views: 1 }, { ...FR, ...DRAFT })
          assert.equal(await isModified(id), true, JSON.stringify(changes))
          await database.act('discard', 'article', id, 'fr')
          assert.equal(await isModified(id), true, JSON.stringify(changes))
          await database.act('discard', 'article', id)
          assert.equal(await isModified(id), false, JSON.stringify(changes))
        }
      })
    })

    it('does not touch rows of other locales if it is unchanged', async () => {
      const id = await both(true)
      const before = await database.row('article', id, FR)
      await database.update('article', id, { title: 'Only English', tags: [tag], views: 1 })
      assert.deepEqual(await database.row('article', id, FR), before)
    })

    it('does not touch rows of other locales if an entry is sent unchanged', async () => {
      const id = await both(true)
      const place = { street: 'S', near: [tag], geo: { lat: 1.5 } }
      await database.update('article', id, { place })
      const before = await Promise.all(
        [FR, { ...FR, ...DRAFT }].map((view) => database.row('article', id, view)),
      )
      const [entry] = await database.entries('article', id, 'place')
      await database.update('article', id, { place: { id: entry?.i } })
      await database.update('article', id, { place: { id: entry?.i, street: 'S', near: [tag] } })
      const after = await Promise.all(
        [FR, { ...FR, ...DRAFT }].map((view) => database.row('article', id, view)),
      )
      assert.deepEqual(after, before)
      await database.update('article', id, { place: { id: entry?.i, street: 'T' } })
      assert.notEqual((await database.row('article', id, FR))?.revision, before[0]?.revision)
    })
  })
})
