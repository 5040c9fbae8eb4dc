/** Migrations of content-types that hold content: renames, tables, localization, draft & publish, single types. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { purgeBackups } from '../../src/store/migration/apply/backups.ts'
import { collection, component, componentFile, string, typeFile } from '../live/world.ts'
import { onEachEngine } from '../support/engines.ts'
import { changing, kindsOf } from './changing.ts'

const AUTHORS = { 'config/locales.json': { default: 'en', locales: ['en', 'fr'] } }
const relation = (target: string, more: object = {}) => ({
  type: 'relation',
  relation: 'manyToMany',
  target,
  ...more,
})

onEachEngine((engine) => {
  describe('a content-type', () => {
    const shelf = (target: string) =>
      collection('shelf', {
        books: relation(target, { inversedBy: 'shelves' }),
        anything: { type: 'relation', relation: 'morphToMany' },
        cards: { type: 'component', component: 'shared.card', repeatable: true },
      })
    const card = (target: string) =>
      component('shared.card', { label: string, about: relation(target, { relation: 'oneToOne' }) })
    const shelves = {
      type: 'relation',
      relation: 'manyToMany',
      target: 'api::shelf.shelf',
      mappedBy: 'books',
    }
    const before = {
      [typeFile('shelf')]: shelf('api::book.book'),
      [typeFile('book')]: collection('book', {
        title: { ...string, unique: true },
        shelves,
        like: relation('api::book.book'),
      }),
      [componentFile('shared.card')]: card('api::book.book'),
    }

    it('keeps its content and the relations from and to it when it is renamed', async (t) => {
      const world = await changing(t, engine, before)
      const one = await world.create('books', { title: 'One' })
      const two = await world.create('books', { title: 'Two', like: [one] })
      const shelfId = await world.create('shelfs', {
        books: [two, one],
        anything: [{ id: one, __type: 'api::book.book' }],
        cards: [{ label: 'c', about: two }],
      })
      const url = `/api/shelfs/${shelfId}?populate[books]=true&populate[anything][on][TYPE]=true&populate[cards][populate]=about`
      const was = await world.get(url.replace('TYPE', 'api::book.book'))
      const book = Object(await world.data(`/api/books/${two}?populate=*`))
      const plan = await world.apply({
        [typeFile('shelf')]: shelf('api::volume.volume'),
        [typeFile('volume')]: {
          ...collection('volume', {
            title: { ...string, unique: true },
            shelves,
            like: relation('api::volume.volume'),
          }),
          renamedFrom: 'api::book.book',
        },
        [componentFile('shared.card')]: card('api::volume.volume'),
      })
      assert.deepEqual(kindsOf(plan), ['renameType safe 2'])
      const is = await world.get(url.replace('TYPE', 'api::volume.volume'))
      assert.equal(is.replaceAll('api::volume.volume', 'api::book.book'), was)
      assert.deepEqual(await world.data(`/api/volumes/${two}?populate=*`), book)
      assert.equal((await world.world().ask('GET', '/api/books')).status, 404)
      assert.equal((await world.world().ask('POST', '/api/volumes', { data: { title: 'One' } })).status, 400)
      await world.create('volumes', { title: 'Three' })
      assert.deepEqual(await world.backups(), [])
    })

    it('gets another table, also the previous one of another type', async (t) => {
      const world = await changing(t, engine, {
        [typeFile('a')]: collection('a', { x: string }),
        [typeFile('b')]: collection('b', { x: string }),
      })
      await world.create('as', { x: 'in a' })
      await world.create('bs', { x: 'in b' })
      const was = [await world.get('/api/as'), await world.get('/api/bs')]
      const plan = await world.apply({
        [typeFile('a')]: collection('a', { x: string }, { collectionName: 'bs' }),
        [typeFile('b')]: collection('b', { x: string }, { collectionName: 'as' }),
      })
      assert.deepEqual(kindsOf(plan), ['moveTable safe 1', 'moveTable safe 1'])
      assert.deepEqual([await world.get('/api/as'), await world.get('/api/bs')], was)
    })

    it('is dropped on confirmation, starts empty when created again, and its backup can be purged', async (t) => {
      const world = await changing(t, engine, {
        ...before,
        'config/roles.json': { public: {} },
      })
      const one = await world.create('books', { title: 'One' })
      const shelfId = await world.create('shelfs', {
        books: [one],
        anything: [{ id: one, __type: 'api::book.book' }],
        cards: [{ label: 'kept', about: one }],
      })
      await world.world().server.access.roles.setPermissions('public', { 'api::book.book': ['find'] })
      const without = {
        [typeFile('shelf')]: collection('shelf', {
          anything: { type: 'relation', relation: 'morphToMany' },
          cards: { type: 'component', component: 'shared.card', repeatable: true },
        }),
        [componentFile('shared.card')]: component('shared.card', { label: string }),
        'config/roles.json': { public: {} },
      }
      const plan = await world.confirm(
        without,
        /api::book.book: deleted; content \(1 row, 1 document\) is moved to a backup/,
      )
      assert.deepEqual(kindsOf(plan).sort(), [
        'dropAttribute lossy 1',
        'dropAttribute lossy 1',
        'dropType lossy 1',
      ])
      const shown = Object(await world.data(`/api/shelfs/${shelfId}?populate=*`))
      assert.deepEqual([shown.anything, shown.cards[0].label], [[], 'kept'])
      assert.deepEqual(
        (await world.backups()).filter((backup) => !backup.startsWith('edges')),
        ['table: api::book.book'],
      )
      assert.ok((await world.backups()).length > 3, 'relations are backed up too')

      await world.apply({ ...before, 'config/roles.json': { public: {} } })
      assert.match(await world.get('/api/books'), /"data":\[\]/)
      assert.equal(
        (await world.world().server.app.inject('/api/books')).statusCode,
        403,
        'its permissions were deleted',
      )
      const again = Object(await world.data(`/api/shelfs/${shelfId}?populate=*`))
      assert.deepEqual([again.books, again.anything], [[], []])

      await world.world().close()
      await world.withStore(purgeBackups)
      assert.deepEqual(await world.backups(), [])
      const left = await world.withStore((store) =>
        store.read({ sql: 'SELECT count(*) AS edges FROM octavo_edges', parameters: [] }),
      )
      assert.equal(left[0]?.edges, 0)
    })
  })

  describe('localization', () => {
    const notes = (localized: boolean, textLocalized = true) => ({
      ...AUTHORS,
      [typeFile('note')]: collection(
        'note',
        { text: { ...string, pluginOptions: { i18n: { localized: textLocalized } } }, code: string },
        { pluginOptions: { i18n: { localized } } },
      ),
    })

    it('switched on: existing content becomes the default locale', async (t) => {
      const world = await changing(t, engine, notes(false))
      const id = await world.create('notes', { text: 'a' })
      assert.deepEqual(kindsOf(await world.apply(notes(true))), ['localize safe 1'])
      assert.equal(Object(await world.data(`/api/notes/${id}`)).locale, 'en')
      const french = await world.world().ask('PUT', `/api/notes/${id}?locale=fr`, { data: { text: 'b' } })
      assert.equal(french.status, 200)
    })

    it('switched off on confirmation: the plan lists documents with other locales', async (t) => {
      const world = await changing(t, engine, notes(true))
      const id = await world.create('notes', { text: 'a' })
      await world.world().ask('PUT', `/api/notes/${id}?locale=fr`, { data: { text: 'b' } })
      const was = await world.get('/api/notes?locale=*')
      const plan = await world.confirm(
        notes(false),
        new RegExp(`other locales of 1 document \\(${id}\\) are no longer served`),
      )
      assert.deepEqual(kindsOf(plan), ['unlocalize lossy 2'])
      assert.match(await world.get('/api/notes'), /"text":"a"/)
      assert.doesNotMatch(await world.get('/api/notes'), /"locale"|"text":"b"/)
      await world.apply(notes(true))
      assert.deepEqual(Object(JSON.parse(await world.get('/api/notes?locale=*'))).data, JSON.parse(was).data)
    })

    it('switched off and on again: a document deleted meanwhile stays deleted', async (t) => {
      const world = await changing(t, engine, notes(true))
      const id = await world.create('notes', { text: 'a' })
      await world.world().ask('PUT', `/api/notes/${id}?locale=fr`, { data: { text: 'b' } })
      await world.apply(notes(false), 'everything')
      assert.equal((await world.world().ask('DELETE', `/api/notes/${id}`)).status, 204)
      await world.apply(notes(true))
      assert.deepEqual(await world.data('/api/notes?locale=*'), [])
    })

    it('switched off for one attribute: the plan lists documents whose locales differ', async (t) => {
      const world = await changing(t, engine, notes(true))
      const same = await world.create('notes', { text: 'a' })
      await world.world().ask('PUT', `/api/notes/${same}?locale=fr`, { data: { text: 'a' } })
      const id = await world.create('notes', { text: 'a' })
      await world.world().ask('PUT', `/api/notes/${id}?locale=fr`, { data: { text: 'b' } })
      const plan = await world.apply(notes(true, false))
      assert.deepEqual(kindsOf(plan), ['shareLocales notice 4'])
      assert.deepEqual(plan[0]?.documents, [id])
    })
  })

  describe('draft & publish', () => {
    const notes = (draftAndPublish: boolean) => ({
      [typeFile('note')]: collection(
        'note',
        { text: string, like: relation('api::note.note') },
        { options: { draftAndPublish } },
      ),
    })

    it('switched on: every published document gets an identical draft', async (t) => {
      const world = await changing(t, engine, notes(false))
      const id = await world.create('notes', { text: 'a' })
      await world.create('notes', { text: 'b', like: [id] })
      const was = await world.get('/api/notes?populate=like')
      assert.deepEqual(kindsOf(await world.apply(notes(true))), ['addDrafts safe 2'])
      assert.equal(await world.get('/api/notes?populate=like'), was)
      const drafts = Object(await world.data('/api/notes?status=draft&populate=like'))
      assert.deepEqual([drafts[1].text, drafts[1].publishedAt, drafts[1].like[0].documentId], ['b', null, id])
    })

    it('switched off on confirmation: the plan lists drafts that become public', async (t) => {
      const world = await changing(t, engine, notes(true))
      await world.create('notes', { text: 'public' })
      const draft = await world.world().ask('POST', '/api/notes?status=draft', { data: { text: 'secret' } })
      const id = String(draft.at('data', 'documentId'))
      const plan = await world.confirm(
        notes(false),
        new RegExp(`drafts that were never published become public in 1 document \\(${id}\\)`),
      )
      assert.deepEqual(kindsOf(plan), ['dropDrafts lossy 3'])
      assert.match(await world.get('/api/notes'), /public.*secret/)
    })

    it('switched off on confirmation: the plan lists documents with unpublished changes', async (t) => {
      const world = await changing(t, engine, notes(true))
      const id = await world.create('notes', { text: 'public' })
      await world.create('notes', { text: 'unchanged' })
      await world.world().ask('PUT', `/api/notes/${id}?status=draft`, { data: { text: 'changed' } })
      const refusal = `unpublished changes are no longer served; found in 1 document \\(${id}\\)`
      const plan = await world.confirm(notes(false), new RegExp(refusal))
      assert.deepEqual(kindsOf(plan), ['dropDrafts safe 4', 'hideChanges lossy 1'])
      assert.doesNotMatch(await world.get('/api/notes?status=draft'), /"changed"/)
      await world.apply(notes(true))
      assert.match(await world.get('/api/notes?status=draft'), /"changed".*"unchanged"/)
    })

    it('not switched off while a draft shares a unique value with a published document', async (t) => {
      const codes = (draftAndPublish: boolean, unique: boolean) => ({
        [typeFile('note')]: collection(
          'note',
          { code: { ...string, unique } },
          { options: { draftAndPublish } },
        ),
      })
      const world = await changing(t, engine, codes(true, true))
      const id = await world.create('notes', { code: 'a' })
      const draft = await world.world().ask('POST', '/api/notes?status=draft', { data: { code: 'a' } })
      const both = [id, String(draft.at('data', 'documentId'))].sort().join(', ')
      const named = new RegExp(`2 documents \\(${both}\\) share a value`)
      await world.refuse(codes(false, true), named)
      await world.apply(codes(true, false))
      await world.refuse(codes(false, true), named)
      await world.apply(codes(true, true))
      await world.apply(codes(false, false), 'everything')
      assert.match(await world.get('/api/notes'), /"code":"a".*"code":"a"/)
    })

    it('switched off and on again: an old draft does not undo later writes', async (t) => {
      const world = await changing(t, engine, notes(true))
      const [first, other] = [await world.create('notes', { text: 'a' }), await world.create('notes', {})]
      const id = await world.create('notes', { text: 'old', like: [first] })
      await world.apply(notes(false))
      const data = { text: 'new', like: [other] }
      assert.equal((await world.world().ask('PUT', `/api/notes/${id}`, { data })).status, 200)
      await world.apply(notes(true))
      const draft = Object(await world.data(`/api/notes/${id}?status=draft&populate=like`))
      assert.deepEqual([draft.text, draft.like.length, draft.like[0].documentId], ['new', 1, other])
      const modified = await world.data('/api/notes?status=draft&publicationFilter=modified')
      assert.deepEqual(modified, [])
    })

    it('switched off without confirmation if every draft is published', async (t) => {
      const world = await changing(t, engine, notes(true))
      await world.create('notes', { text: 'public' })
      const was = await world.get('/api/notes')
      assert.deepEqual(kindsOf(await world.apply(notes(false))), ['dropDrafts safe 2'])
      assert.equal(await world.get('/api/notes'), was)
    })
  })

  it('a collection type becomes a single type and back', async (t) => {
    const as = (kind: string) => ({ [typeFile('note')]: collection('note', { text: string }, { kind }) })
    const world = await changing(t, engine, as('collectionType'))
    const first = await world.create('notes', { text: 'first' })
    await world.create('notes', { text: 'second' })
    const was = await world.get('/api/notes')
    const plan = await world.apply(as('singleType'))
    assert.deepEqual(kindsOf(plan), ['makeSingle notice 2'])
    assert.equal(Object(await world.data('/api/note')).documentId, first)
    assert.deepEqual(kindsOf(await world.apply(as('collectionType'))), ['makeCollection safe 2'])
    assert.equal(await world.get('/api/notes'), was)
  })

  it('if one of several changes is refused, none is applied', async (t) => {
    const world = await changing(t, engine, {
      [typeFile('a')]: collection('a', { x: string, y: string }),
      [typeFile('b')]: collection('b', { x: string }),
    })
    await world.create('as', { x: 'same' })
    await world.create('as', { x: 'same' })
    await world.refuse(
      {
        [typeFile('a')]: collection('a', {
          x: { ...string, unique: true },
          z: { ...string, renamedFrom: 'y' },
        }),
        [typeFile('c')]: { ...collection('c', { x: string }), renamedFrom: 'api::b.b' },
      },
      /attribute x: becomes unique/,
    )
    assert.equal((await world.world().ask('GET', '/api/bs')).status, 200)
  })
})
