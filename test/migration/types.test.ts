/** Migrations of content-types that have content: renames, tables, localization, draft & publish, single types. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { purgeBackups } from '../../src/store/migration/apply/backups.ts'
import { onEachEngine } from '../support/engines.ts'
import { collection, component, componentFile, string, typeFile } from '../support/project-server.ts'
import { openMigratedProject, summarize } from './migrated-project.ts'

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
      const project = await openMigratedProject(t, engine, before)
      const one = await project.create('books', { title: 'One' })
      const two = await project.create('books', { title: 'Two', like: [one] })
      const shelfId = await project.create('shelfs', {
        books: [two, one],
        anything: [{ id: one, __type: 'api::book.book' }],
        cards: [{ label: 'c', about: two }],
      })
      const url = `/api/shelfs/${shelfId}?populate[books]=true&populate[anything][on][TYPE]=true&populate[cards][populate]=about`
      const was = await project.get(url.replace('TYPE', 'api::book.book'))
      const book = Object(await project.data(`/api/books/${two}?populate=*`))
      const plan = await project.apply({
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
      assert.deepEqual(summarize(plan), ['renameType safe 2'])
      const is = await project.get(url.replace('TYPE', 'api::volume.volume'))
      assert.equal(is.replaceAll('api::volume.volume', 'api::book.book'), was)
      assert.deepEqual(await project.data(`/api/volumes/${two}?populate=*`), book)
      assert.equal((await project.server().request('GET', '/api/books')).status, 404)
      assert.equal(
        (await project.server().request('POST', '/api/volumes', { data: { title: 'One' } })).status,
        400,
      )
      await project.create('volumes', { title: 'Three' })
      assert.deepEqual(await project.backups(), [])
    })

    it('gets another table, also the previous one of another type', async (t) => {
      const project = await openMigratedProject(t, engine, {
        [typeFile('a')]: collection('a', { x: string }),
        [typeFile('b')]: collection('b', { x: string }),
      })
      await project.create('as', { x: 'in a' })
      await project.create('bs', { x: 'in b' })
      const was = [await project.get('/api/as'), await project.get('/api/bs')]
      const plan = await project.apply({
        [typeFile('a')]: collection('a', { x: string }, { collectionName: 'bs' }),
        [typeFile('b')]: collection('b', { x: string }, { collectionName: 'as' }),
      })
      assert.deepEqual(summarize(plan), ['moveTable safe 1', 'moveTable safe 1'])
      assert.deepEqual([await project.get('/api/as'), await project.get('/api/bs')], was)
    })

    it('is dropped on confirmation, starts empty when created again, and its backup can be purged', async (t) => {
      const project = await openMigratedProject(t, engine, {
        ...before,
        'config/roles.json': { public: {} },
      })
      const one = await project.create('books', { title: 'One' })
      const shelfId = await project.create('shelfs', {
        books: [one],
        anything: [{ id: one, __type: 'api::book.book' }],
        cards: [{ label: 'kept', about: one }],
      })
      await project.server().server.access.roles.setPermissions('public', { 'api::book.book': ['find'] })
      const without = {
        [typeFile('shelf')]: collection('shelf', {
          anything: { type: 'relation', relation: 'morphToMany' },
          cards: { type: 'component', component: 'shared.card', repeatable: true },
        }),
        [componentFile('shared.card')]: component('shared.card', { label: string }),
        'config/roles.json': { public: {} },
      }
      const plan = await project.confirm(
        without,
        /api::book.book: deleted; content \(1 row, 1 document\) is moved to a backup/,
      )
      assert.deepEqual(summarize(plan).sort(), [
        'dropAttribute lossy 1',
        'dropAttribute lossy 1',
        'dropType lossy 1',
      ])
      const shown = Object(await project.data(`/api/shelfs/${shelfId}?populate=*`))
      assert.deepEqual([shown.anything, shown.cards[0].label], [[], 'kept'])
      assert.deepEqual(
        (await project.backups()).filter((backup) => !backup.startsWith('edges')),
        ['table: api::book.book'],
      )
      assert.ok((await project.backups()).length > 3, 'relations are backed up too')

      await project.apply({ ...before, 'config/roles.json': { public: {} } })
      assert.match(await project.get('/api/books'), /"data":\[\]/)
      assert.equal(
        (await fetch(`${project.server().base}/api/books`)).status,
        403,
        'its permissions were deleted',
      )
      const again = Object(await project.data(`/api/shelfs/${shelfId}?populate=*`))
      assert.deepEqual([again.books, again.anything], [[], []])

      await project.server().close()
      await project.withStore(purgeBackups)
      assert.deepEqual(await project.backups(), [])
      const left = await project.withStore((store) =>
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
      const project = await openMigratedProject(t, engine, notes(false))
      const id = await project.create('notes', { text: 'a' })
      assert.deepEqual(summarize(await project.apply(notes(true))), ['localize safe 1'])
      assert.equal(Object(await project.data(`/api/notes/${id}`)).locale, 'en')
      const french = await project
        .server()
        .request('PUT', `/api/notes/${id}?locale=fr`, { data: { text: 'b' } })
      assert.equal(french.status, 200)
    })

    it('switched off on confirmation: the plan lists documents with other locales', async (t) => {
      const project = await openMigratedProject(t, engine, notes(true))
      const id = await project.create('notes', { text: 'a' })
      await project.server().request('PUT', `/api/notes/${id}?locale=fr`, { data: { text: 'b' } })
      const was = await project.get('/api/notes?locale=*')
      const plan = await project.confirm(
        notes(false),
        new RegExp(`other locales of 1 document \\(${id}\\) are no longer served`),
      )
      assert.deepEqual(summarize(plan), ['unlocalize lossy 2'])
      assert.match(await project.get('/api/notes'), /"text":"a"/)
      assert.doesNotMatch(await project.get('/api/notes'), /"locale"|"text":"b"/)
      await project.apply(notes(true))
      assert.deepEqual(
        Object(JSON.parse(await project.get('/api/notes?locale=*'))).data,
        JSON.parse(was).data,
      )
    })

    it('switched off and on again: a document deleted meanwhile stays deleted', async (t) => {
      const project = await openMigratedProject(t, engine, notes(true))
      const id = await project.create('notes', { text: 'a' })
      await project.server().request('PUT', `/api/notes/${id}?locale=fr`, { data: { text: 'b' } })
      await project.apply(notes(false), 'everything')
      assert.equal((await project.server().request('DELETE', `/api/notes/${id}`)).status, 204)
      await project.apply(notes(true))
      assert.deepEqual(await project.data('/api/notes?locale=*'), [])
    })

    it('switched off and on again: other locales take what all share from the default locale', async (t) => {
      const shared = { pluginOptions: { i18n: { localized: false } } }
      const own = { pluginOptions: { i18n: { localized: true } } }
      const pages = (localized: boolean) => ({
        ...AUTHORS,
        [typeFile('page')]: collection(
          'page',
          {
            title: { ...string, ...own },
            code: { ...string, ...shared },
            cards: { type: 'component', component: 'shared.card', repeatable: true, ...shared },
            ownCards: { type: 'component', component: 'shared.card', repeatable: true, ...own },
          },
          { pluginOptions: { i18n: { localized } } },
        ),
        [componentFile('shared.card')]: component('shared.card', {
          label: string,
          about: relation('api::page.page'),
        }),
      })
      const project = await openMigratedProject(t, engine, pages(true))
      const put = async (id: string, query: string, data: object) => {
        const { status, text } = await project.server().request('PUT', `/api/pages/${id}${query}`, { data })
        assert.equal(status, 200, text)
      }
      const [one, two] = [await project.create('pages', {}), await project.create('pages', {})]
      for (const target of [one, two]) await put(target, '?locale=fr', {})
      const cards = (label: string, about: string) => [{ label, about: [about] }]
      const id = await project.create('pages', { title: 'en', code: 'old', cards: cards('old', one) })
      await put(id, '?locale=fr', { title: 'fr', ownCards: cards('fr', one) })
      await project.apply(pages(false), 'everything')
      await put(id, '', { code: 'new', cards: cards('new', two) })
      await project.apply(pages(true))
      const populate = 'populate[cards][populate]=*&populate[ownCards][populate]=*'
      const page = Object(await project.data(`/api/pages/${id}?locale=fr&${populate}`))
      const contents = ([card]: { label: string; about: { documentId: string }[] }[]) => [
        card?.label,
        card?.about.map(({ documentId }) => documentId),
      ]
      assert.deepEqual([page.title, page.code], ['fr', 'new'])
      assert.deepEqual(contents(page.cards), ['new', [two]])
      assert.deepEqual(contents(page.ownCards), ['fr', [one]])
    })

    it('switched off and on again with another default locale: what was visible stays visible', async (t) => {
      const inLocale = (localized: boolean, defaultLocale: string) => ({
        ...notes(localized),
        'config/locales.json': { default: defaultLocale, locales: ['en', 'fr'] },
      })
      const project = await openMigratedProject(t, engine, inLocale(true, 'en'))
      const id = await project.create('notes', { text: 'English' })
      await project.server().request('PUT', `/api/notes/${id}?locale=fr`, { data: { text: 'French' } })
      const other = await project.create('notes', { text: 'other' })
      await project.apply(inLocale(false, 'en'), 'everything')
      await project.apply(inLocale(false, 'fr'))
      await project.apply(inLocale(true, 'fr'))
      const shown: Record<string, string>[] = Object(await project.data('/api/notes?locale=*&sort=id'))
      assert.deepEqual(
        shown.map(({ documentId, text, locale }) => [documentId, text, locale]),
        [
          [id, 'English', 'en'],
          [id, 'French', 'fr'],
          [other, 'other', 'fr'],
        ],
      )
    })

    it('switched on again: a locale keeps a unique value where another document has that of the default locale', async (t) => {
      const codes = (localized: boolean) => ({
        ...AUTHORS,
        [typeFile('page')]: collection(
          'page',
          { code: { ...string, unique: true, pluginOptions: { i18n: { localized: false } } } },
          { pluginOptions: { i18n: { localized } } },
        ),
      })
      const project = await openMigratedProject(t, engine, codes(true))
      const request = async (method: 'POST' | 'PUT', path: string, data: object) => {
        const { status, text } = await project.server().request(method, `/api/pages${path}`, { data })
        assert.ok(status < 300, text)
      }
      const id = await project.create('pages', { code: 'a' })
      await request('PUT', `/${id}?locale=fr`, {})
      await request('POST', '?locale=fr', { code: 'b' })
      await project.apply(codes(false), 'everything')
      await request('PUT', `/${id}`, { code: 'b' })
      await project.apply(codes(true))
      const shown: { code: string }[] = Object(await project.data('/api/pages?locale=*&sort=id'))
      assert.deepEqual(
        shown.map(({ code }) => code),
        ['b', 'a', 'b'],
      )
    })

    it('switched off for one attribute: the plan lists documents whose locales differ', async (t) => {
      const project = await openMigratedProject(t, engine, notes(true))
      const same = await project.create('notes', { text: 'a' })
      await project.server().request('PUT', `/api/notes/${same}?locale=fr`, { data: { text: 'a' } })
      const id = await project.create('notes', { text: 'a' })
      await project.server().request('PUT', `/api/notes/${id}?locale=fr`, { data: { text: 'b' } })
      const plan = await project.apply(notes(true, false))
      assert.deepEqual(summarize(plan), ['shareLocales notice 4'])
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
      const project = await openMigratedProject(t, engine, notes(false))
      const id = await project.create('notes', { text: 'a' })
      await project.create('notes', { text: 'b', like: [id] })
      const was = await project.get('/api/notes?populate=like')
      assert.deepEqual(summarize(await project.apply(notes(true))), ['addDrafts safe 2'])
      assert.equal(await project.get('/api/notes?populate=like'), was)
      const drafts = Object(await project.data('/api/notes?status=draft&populate=like'))
      assert.deepEqual([drafts[1].text, drafts[1].publishedAt, drafts[1].like[0].documentId], ['b', null, id])
    })

    it('switched off on confirmation: the plan lists drafts that become public', async (t) => {
      const project = await openMigratedProject(t, engine, notes(true))
      await project.create('notes', { text: 'public' })
      const draft = await project
        .server()
        .request('POST', '/api/notes?status=draft', { data: { text: 'secret' } })
      const id = String(draft.at('data', 'documentId'))
      const plan = await project.confirm(
        notes(false),
        new RegExp(`drafts that were never published become public in 1 document \\(${id}\\)`),
      )
      assert.deepEqual(summarize(plan), ['dropDrafts lossy 3'])
      assert.match(await project.get('/api/notes'), /public.*secret/)
    })

    it('switched off on confirmation: the plan lists documents with unpublished changes', async (t) => {
      const project = await openMigratedProject(t, engine, notes(true))
      const id = await project.create('notes', { text: 'public' })
      await project.create('notes', { text: 'unchanged' })
      await project.server().request('PUT', `/api/notes/${id}?status=draft`, { data: { text: 'changed' } })
      const refusal = `unpublished changes are no longer served; found in 1 document \\(${id}\\)`
      const plan = await project.confirm(notes(false), new RegExp(refusal))
      assert.deepEqual(summarize(plan), ['dropDrafts safe 4', 'hideChanges lossy 1'])
      assert.doesNotMatch(await project.get('/api/notes?status=draft'), /"changed"/)
      await project.apply(notes(true))
      assert.match(await project.get('/api/notes?status=draft'), /"changed".*"unchanged"/)
    })

    it('not switched off while a draft shares a unique value with a published document', async (t) => {
      const codes = (draftAndPublish: boolean, unique: boolean) => ({
        [typeFile('note')]: collection(
          'note',
          { code: { ...string, unique } },
          { options: { draftAndPublish } },
        ),
      })
      const project = await openMigratedProject(t, engine, codes(true, true))
      const id = await project.create('notes', { code: 'a' })
      const draft = await project.server().request('POST', '/api/notes?status=draft', { data: { code: 'a' } })
      const both = [id, String(draft.at('data', 'documentId'))].sort().join(', ')
      const named = new RegExp(`2 documents \\(${both}\\) share a value`)
      await project.refuse(codes(false, true), named)
      await project.apply(codes(true, false))
      await project.refuse(codes(false, true), named)
      await project.apply(codes(true, true))
      await project.apply(codes(false, false), 'everything')
      assert.match(await project.get('/api/notes'), /"code":"a".*"code":"a"/)
    })

    it('switched off and on again: an old draft does not undo later writes', async (t) => {
      const project = await openMigratedProject(t, engine, notes(true))
      const [first, other] = [await project.create('notes', { text: 'a' }), await project.create('notes', {})]
      const id = await project.create('notes', { text: 'old', like: [first] })
      await project.apply(notes(false))
      const data = { text: 'new', like: [other] }
      assert.equal((await project.server().request('PUT', `/api/notes/${id}`, { data })).status, 200)
      await project.apply(notes(true))
      const draft = Object(await project.data(`/api/notes/${id}?status=draft&populate=like`))
      assert.deepEqual([draft.text, draft.like.length, draft.like[0].documentId], ['new', 1, other])
      const modified = await project.data('/api/notes?status=draft&publicationFilter=modified')
      assert.deepEqual(modified, [])
    })

    it('switched off and on again: a target that can have one owner keeps one', async (t) => {
      const inverse = { type: 'relation', relation: 'oneToOne' }
      const boxed = (draftAndPublish: boolean) => ({
        [typeFile('note')]: collection(
          'note',
          { text: string, box: { ...inverse, target: 'api::box.box', inversedBy: 'note' } },
          { options: { draftAndPublish } },
        ),
        [typeFile('box')]: collection('box', {
          note: { ...inverse, target: 'api::note.note', mappedBy: 'box' },
        }),
      })
      const project = await openMigratedProject(t, engine, boxed(true))
      const write = async (method: 'POST' | 'PUT', path: string, data: object) => {
        const { status, text } = await project.server().request(method, `/api/notes${path}`, { data })
        assert.ok(status < 300, text)
      }
      const owners = async (status: string) => {
        const url = `/api/notes?filters[box][id][$notNull]=true&sort=text&status=${status}`
        const notes: { text: string }[] = Object(await project.data(url))
        return notes.map(({ text }) => text)
      }
      const [box, other] = [await project.create('boxs', {}), await project.create('boxs', {})]
      await project.create('notes', { text: 'public', box })
      await write('POST', '?status=draft', { text: 'draft', box })
      const changed = await project.create('notes', { text: 'changed' })
      await write('PUT', `/${changed}?status=draft`, { box: other })
      await project.apply(boxed(false), 'everything')
      assert.deepEqual(await owners('published'), ['public'])
      assert.deepEqual(await project.backups(), [
        'edges: api::note.note, attribute box, targets of other documents',
      ])
      await write('POST', '', { text: 'later', box: other })
      await project.apply(boxed(true))
      assert.deepEqual(await owners('published'), ['later', 'public'])
      assert.deepEqual(await owners('draft'), ['later', 'public'])
    })

    it('switched off: a locale that becomes public shares the published values, not those of its draft', async (t) => {
      const pages = (draftAndPublish: boolean) => ({
        ...AUTHORS,
        [typeFile('page')]: collection(
          'page',
          {
            title: { ...string, pluginOptions: { i18n: { localized: true } } },
            code: { ...string, pluginOptions: { i18n: { localized: false } } },
          },
          { options: { draftAndPublish }, pluginOptions: { i18n: { localized: true } } },
        ),
      })
      const project = await openMigratedProject(t, engine, pages(true))
      const id = await project.create('pages', { title: 'en', code: 'public' })
      const data = { title: 'fr', code: 'unpublished' }
      const { status } = await project
        .server()
        .request('PUT', `/api/pages/${id}?locale=fr&status=draft`, { data })
      assert.equal(status, 200)
      await project.apply(pages(false), 'everything')
      const shown = Object(await project.data('/api/pages?locale=*&sort=title'))
      assert.deepEqual(
        shown.map((page: { title: string; code: string }) => [page.title, page.code]),
        [
          ['en', 'public'],
          ['fr', 'public'],
        ],
      )
    })

    it('switched off without confirmation if every draft is published', async (t) => {
      const project = await openMigratedProject(t, engine, notes(true))
      await project.create('notes', { text: 'public' })
      const was = await project.get('/api/notes')
      assert.deepEqual(summarize(await project.apply(notes(false))), ['dropDrafts safe 2'])
      assert.equal(await project.get('/api/notes'), was)
    })
  })

  it('a collection type becomes a single type and back', async (t) => {
    const as = (kind: string) => ({ [typeFile('note')]: collection('note', { text: string }, { kind }) })
    const project = await openMigratedProject(t, engine, as('collectionType'))
    const first = await project.create('notes', { text: 'first' })
    await project.create('notes', { text: 'second' })
    const was = await project.get('/api/notes')
    const plan = await project.apply(as('singleType'))
    assert.deepEqual(summarize(plan), ['makeSingle notice 2'])
    assert.equal(Object(await project.data('/api/note')).documentId, first)
    assert.deepEqual(summarize(await project.apply(as('collectionType'))), ['makeCollection safe 2'])
    assert.equal(await project.get('/api/notes'), was)
  })

  it('if one of several changes is refused, none is applied', async (t) => {
    const project = await openMigratedProject(t, engine, {
      [typeFile('a')]: collection('a', { x: string, y: string }),
      [typeFile('b')]: collection('b', { x: string }),
    })
    await project.create('as', { x: 'same' })
    await project.create('as', { x: 'same' })
    await project.refuse(
      {
        [typeFile('a')]: collection('a', {
          x: { ...string, unique: true },
          z: { ...string, renamedFrom: 'y' },
        }),
        [typeFile('c')]: { ...collection('c', { x: string }), renamedFrom: 'api::b.b' },
      },
      /attribute x: becomes unique/,
    )
    assert.equal((await project.server().request('GET', '/api/bs')).status, 200)
  })
})
