/** Migrations of the attributes of content-types that have content: added, renamed, converted and dropped, with backups. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compile } from '../../src/store/compile.ts'
import { onEachEngine } from '../support/engines.ts'
import { collection, component, componentFile, string, typeFile } from '../support/project-server.ts'
import { openMigratedProject, summarize } from './migrated-project.ts'

const author = collection('author', { name: string })
const relation = (more: object = {}) => ({
  type: 'relation',
  relation: 'manyToMany',
  target: 'api::author.author',
  ...more,
})
const part = component('shared.part', { label: string, who: relation({ relation: 'oneToOne' }) })

/** A project with books, whose attributes change, and bystanders, which must not change. */
const schemaFiles = (attributes: object, more: object = {}) => ({
  [typeFile('author')]: author,
  [typeFile('book')]: collection('book', attributes, more),
  [typeFile('bystander')]: collection('bystander', {
    text: string,
    data: { type: 'json' },
    author: relation(),
    parts: { type: 'component', component: 'shared.part', repeatable: true },
  }),
  [componentFile('shared.part')]: part,
})

onEachEngine((engine) => {
  const open = async (
    t: Parameters<typeof openMigratedProject>[0],
    attributes: object,
    more: object = {},
  ) => {
    const project = await openMigratedProject(t, engine, schemaFiles(attributes, more))
    const ann = await project.create('authors', { name: 'Ann' })
    const bob = await project.create('authors', { name: 'Bob' })
    await project.create('bystanders', {
      text: 'ä"\\\n',
      data: { b: [1.5, null], a: '\u2028' },
      author: [bob, ann],
      parts: [{ label: 'x', who: ann }, { label: null }],
    })
    const url = '/api/bystanders?populate[author]=true&populate[parts][populate]=who'
    const before = await project.get(url)
    return { ...project, ann, bob, untouched: async () => assert.equal(await project.get(url), before) }
  }

  describe('an attribute', () => {
    it('is added without a value in existing content, even if it has a default', async (t) => {
      const project = await open(t, { title: string })
      const id = await project.create('books', { title: 'A' })
      const next = { pages: { type: 'integer', default: 7 }, title: string, author: relation() }
      const plan = await project.apply(schemaFiles(next))
      assert.deepEqual(summarize(plan), ['addAttribute safe 1', 'addAttribute safe 1'])
      const book = Object(await project.data(`/api/books/${id}?populate=author`))
      assert.deepEqual([book.pages, book.title, book.author], [null, 'A', []])
      await project.untouched()
    })

    it('keeps its values, relations and entries when it is renamed', async (t) => {
      const lists = {
        parts: { type: 'component', component: 'shared.part', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.part'] },
      }
      const project = await open(t, { title: { ...string, unique: true }, authors: relation(), ...lists })
      const entry = { label: 'L', who: project.ann }
      const id = await project.create('books', {
        title: 'A',
        authors: [project.bob, project.ann],
        parts: [entry],
        zone: [{ __component: 'shared.part', ...entry }],
      })
      const was = Object(
        await project.data(
          `/api/books/${id}?populate[authors]=true&populate[parts][populate]=*&populate[zone][on][shared.part][populate]=*`,
        ),
      )
      const plan = await project.apply(
        schemaFiles({
          heading: { ...string, unique: true, renamedFrom: 'title' },
          writers: relation({ renamedFrom: 'authors' }),
          pieces: { ...lists.parts, renamedFrom: 'parts' },
          area: { ...lists.zone, renamedFrom: 'zone' },
        }),
      )
      assert.deepEqual(summarize(plan), Array(4).fill('renameAttribute safe 1'))
      const is = Object(
        await project.data(
          `/api/books/${id}?populate[writers]=true&populate[pieces][populate]=*&populate[area][on][shared.part][populate]=*`,
        ),
      )
      assert.deepEqual(
        [is.heading, is.writers, is.pieces, is.area],
        [was.title, was.authors, was.parts, was.zone],
      )
      assert.equal(is.updatedAt, was.updatedAt)
      const again = await project.server().request('POST', '/api/books', { data: { heading: 'A' } })
      assert.equal(again.status, 400, 'the attribute is still unique')
      assert.deepEqual(await project.backups(), [])
      await project.untouched()
    })

    it('may keep renamedFrom after the rename', async (t) => {
      const project = await open(t, { title: string })
      await project.create('books', { title: 'A' })
      const renamed = { heading: { ...string, renamedFrom: 'title' } }
      await project.apply(schemaFiles(renamed))
      const again = await project.apply(schemaFiles({ ...renamed, more: string }))
      assert.deepEqual(summarize(again), ['addAttribute safe 1'])
    })

    it('is dropped on confirmation, and its values are backed up', async (t) => {
      const project = await open(t, { title: string, code: { ...string, unique: true } })
      const id = await project.create('books', { title: 'A', code: 'secret' })
      await project.create('books', { title: 'B' })
      const plan = await project.confirm(
        schemaFiles({ title: string }),
        new RegExp(
          `api::book.book, attribute code: deleted.*1 document \\(${id}\\).*npm run octavo -- migrate --confirm`,
          's',
        ),
      )
      assert.deepEqual(summarize(plan), ['dropAttribute lossy 1'])
      assert.deepEqual(await project.backups(), ['column: api::book.book, attribute code'])
      assert.doesNotMatch(await project.get('/api/books'), /code|secret/)
      await project.apply(schemaFiles({ title: string, code: string }))
      assert.equal(Object(await project.data(`/api/books/${id}`)).code, null)
      await project.untouched()
    })

    it('is dropped with its relations, which are backed up', async (t) => {
      const parts = { type: 'component', component: 'shared.part', repeatable: true }
      const project = await open(t, { title: string, authors: relation(), parts })
      const id = await project.create('books', {
        title: 'A',
        authors: [project.ann],
        parts: [{ who: project.bob }],
      })
      const plan = await project.confirm(
        schemaFiles({ title: string }),
        /attribute authors: deleted.*attribute parts: deleted/s,
      )
      assert.deepEqual(summarize(plan), ['dropAttribute lossy 1', 'dropAttribute lossy 1'])
      assert.deepEqual(await project.backups(), [
        'column: api::book.book, attribute parts',
        'edges: api::book.book, attribute authors',
        'edges: api::book.book, relations of removed entries',
      ])
      await project.apply(schemaFiles({ title: string, authors: relation(), parts }))
      const book = Object(await project.data(`/api/books/${id}?populate=*`))
      assert.deepEqual([book.authors, book.parts], [[], []])
      await project.untouched()
    })

    it('is replaced by one of another kind on confirmation', async (t) => {
      const project = await open(t, { author: string, other: relation() })
      const id = await project.create('books', { author: 'Ann', other: [project.ann] })
      const next = { author: relation(), other: relation({ target: 'api::bystander.bystander' }) }
      const plan = await project.confirm(
        schemaFiles(next),
        /author: changed from string to relation to api::author.author.*other: changed from relation to api::author.author/s,
      )
      assert.deepEqual(summarize(plan), ['replaceAttribute lossy 1', 'replaceAttribute lossy 1'])
      const book = Object(await project.data(`/api/books/${id}?populate=*`))
      assert.deepEqual([book.author, book.other], [[], []])
      assert.equal((await project.backups()).length, 2)
      await project.untouched()
    })

    it('has a column if the new one is like the one before', async (t) => {
      const parts = { type: 'component', component: 'shared.part' }
      for (const text of ['old', null]) {
        const project = await open(t, { text: { ...string, private: true } })
        const id = await project.create('books', { text })
        await project.apply(schemaFiles({ text: parts }), 'everything')
        assert.equal(Object(await project.data(`/api/books/${id}?populate=*`)).text, null)
        const data = { text: { label: 'new' } }
        const put = await project.server().request('PUT', `/api/books/${id}?populate=*`, { data })
        assert.equal(put.at('data', 'text', 'label'), 'new')
      }
    })

    it('has an index if the new one is like the one before', async (t) => {
      const unique = { private: true, unique: true }
      const project = await open(t, { day: { type: 'date', ...unique } })
      await project.create('books', { day: '2024-02-29' })
      const indexes = () =>
        project.withStore(async (store) => {
          const found = await store.read(compile(store.dialect, store.dialect.listColumnsAndIndexes))
          return found.flatMap(({ kind, name }) => (kind === 'index' ? [String(name)] : [])).sort()
        })
      const before = await indexes()
      await project.apply(schemaFiles({ day: { type: 'time', ...unique } }), 'everything')
      assert.deepEqual(await indexes(), before)
    })
  })

  describe('the type of an attribute', () => {
    it('changes without confirmation if every value can be converted', async (t) => {
      const project = await open(t, {
        pages: { ...string, unique: true },
        year: { type: 'integer' },
        flag: { type: 'boolean' },
        text: { type: 'text' },
        day: { type: 'date' },
      })
      const data = { pages: '12', year: 1999, flag: true, text: 'a\nb', day: '2024-02-29' }
      const id = await project.create('books', data)
      await project.create('books', { pages: '-3', year: null, flag: false })
      const plan = await project.apply(
        schemaFiles({
          pages: { type: 'biginteger', unique: true },
          year: string,
          flag: { type: 'integer' },
          text: { type: 'blocks' },
          day: { type: 'datetime' },
        }),
      )
      assert.deepEqual(
        summarize(plan).filter((kind) => kind.startsWith('convert')),
        [2, 1, 2, 1, 1].map((rows) => `convertValues safe ${rows}`),
      )
      const { pages, year, flag, text, day } = Object(await project.data(`/api/books/${id}`))
      const line = (words: string) => ({ type: 'paragraph', children: [{ type: 'text', text: words }] })
      assert.deepEqual(
        [pages, year, flag, text, day],
        ['12', '1999', 1, [line('a'), line('b')], '2024-02-29T00:00:00.000Z'],
      )
      assert.match(await project.get('/api/books?filters[pages][$lt]=0'), /"total":1/)
      assert.equal(
        (await project.server().request('POST', '/api/books', { data: { pages: '12' } })).status,
        400,
      )
      assert.deepEqual(await project.backups(), [])
      await project.untouched()
    })

    it('changes on confirmation if some values cannot be converted, and the plan lists their documents', async (t) => {
      const project = await open(t, { pages: string })
      const ids: string[] = []
      for (const pages of ['1', 'many', '007', 'x']) ids.push(await project.create('books', { pages }))
      const [, many = '', seven = '', x = ''] = ids
      const named = [many, seven, x].sort().join(', ')
      const plan = await project.confirm(
        schemaFiles({ pages: { type: 'integer' } }),
        new RegExp(`pages: converted from string to integer; of 4 values.*3 documents \\(${named}\\)`),
      )
      assert.deepEqual(summarize(plan).slice(0, 1), ['convertValues lossy 4'])
      const values = await Promise.all(
        ids.map(async (id) => Object(await project.data(`/api/books/${id}`)).pages),
      )
      assert.deepEqual(values, [1, null, 7, null])
      assert.deepEqual(await project.backups(), ['column: api::book.book, attribute pages'])
      await project.untouched()
    })

    it('changes together with its name', async (t) => {
      const project = await open(t, { pages: string })
      const id = await project.create('books', { pages: '12' })
      await project.apply(schemaFiles({ length: { type: 'integer', renamedFrom: 'pages' } }))
      assert.equal(Object(await project.data(`/api/books/${id}`)).length, 12)
    })

    it('changes without touching values that are stored identically', async (t) => {
      const project = await open(t, { text: string, at: { type: 'datetime' } })
      const id = await project.create('books', { text: 'ä', at: '2024-01-01T00:00:00Z' })
      const before = await project.get(`/api/books/${id}`)
      await project.apply(schemaFiles({ text: { type: 'richtext' }, at: { type: 'timestamp' } }))
      assert.equal(await project.get(`/api/books/${id}`), before)
    })
  })

  describe('stricter rules', () => {
    it('a newly required attribute leaves content unchanged, and the plan lists documents without a value', async (t) => {
      const project = await open(t, { title: string, authors: relation() })
      await project.create('books', { title: 'A', authors: [project.ann] })
      const id = await project.create('books', {})
      const next = {
        title: { ...string, required: true },
        authors: relation({ required: true }),
        more: { ...string, required: true },
      }
      const plan = await project.apply(schemaFiles(next))
      assert.deepEqual(summarize(plan), ['addAttribute safe 2', ...Array(3).fill('require notice 2')])
      const titles = plan.find(({ description }) => description.includes('title'))
      assert.deepEqual([titles?.documents, titles?.affected], [[id], 1])
      assert.match(titles?.description ?? '', new RegExp(`no value in 1 document \\(${id}\\)`))
      assert.equal(Object(await project.data(`/api/books/${id}`)).title, null)
      assert.equal((await project.server().request('POST', '/api/books', { data: {} })).status, 400)
    })

    it('a maximum of a big integer that is lower by one is stricter', async (t) => {
      const upTo = (max: string) => ({ copies: { type: 'biginteger', max } })
      const project = await open(t, upTo('9223372036854775807'))
      const most = await project.create('books', { copies: '9223372036854775807' })
      await project.create('books', { copies: '9223372036854775806' })
      const plan = await project.apply(schemaFiles(upTo('9223372036854775806')))
      assert.deepEqual(summarize(plan), ['tightenRules notice 2'])
      assert.deepEqual(plan[0]?.documents, [most])
      const send = async (copies: string) =>
        (await project.server().request('POST', '/api/books', { data: { copies } })).status
      assert.equal(await send('9223372036854775807'), 400)
      assert.equal(await send('9223372036854775806'), 201)
      assert.deepEqual(summarize(await project.apply(schemaFiles(upTo('9223372036854775806')))), [])
    })

    it('stricter validation leaves content unchanged, and the plan lists documents with invalid values', async (t) => {
      const project = await open(t, { title: string, kind: { type: 'enumeration', enum: ['a', 'b'] } })
      const long = await project.create('books', { title: 'long title', kind: 'b' })
      await project.create('books', { title: 'ok', kind: 'a' })
      const plan = await project.apply(
        schemaFiles({ title: { ...string, maxLength: 3 }, kind: { type: 'enumeration', enum: ['a', 'c'] } }),
      )
      assert.deepEqual(summarize(plan), ['tightenRules notice 2', 'tightenRules notice 2'])
      for (const { documents } of plan) assert.deepEqual(documents, [long])
      const book = Object(await project.data(`/api/books/${long}`))
      assert.deepEqual([book.title, book.kind], ['long title', 'b'])
    })

    it('a newly unique attribute is refused, confirmed or not, while documents share a value', async (t) => {
      const project = await open(t, { title: string })
      const ids: string[] = []
      for (const title of ['A', 'B', 'A']) ids.push(await project.create('books', { title }))
      const [first = '', , third = ''] = ids
      const unique = schemaFiles({ title: { ...string, unique: true } })
      const named = [first, third].sort().join(', ')
      await project.refuse(unique, new RegExp(`title: becomes unique.*2 documents \\(${named}\\)`))
      await project.server().request('PUT', `/api/books/${third}`, { data: { title: 'C' } })
      assert.deepEqual(summarize(await project.apply(unique)), ['makeUnique safe 3'])
      assert.equal(
        (await project.server().request('POST', '/api/books', { data: { title: 'C' } })).status,
        400,
      )
      assert.deepEqual(summarize(await project.apply(schemaFiles({ title: string }))), [
        'allowDuplicates safe 3',
      ])
      await project.create('books', { title: 'C' })
    })

    it('a unique attribute is not converted while documents would share the converted value', async (t) => {
      const code = { ...string, unique: true }
      const project = await open(t, { title: string, code })
      const ids: string[] = []
      for (const value of ['7', '8', '07'])
        ids.push(await project.create('books', { title: value.slice(-1), code: value }))
      const [first = '', , third = ''] = ids
      const named = `blocked because 2 documents \\(${[first, third].sort().join(', ')}\\) share a value`
      const integer = { type: 'integer', unique: true }
      await project.refuse(
        schemaFiles({ title: string, code: integer }),
        new RegExp(`code: converted from string.*${named}`),
      )
      for (const title of [{ type: 'uid' }, integer])
        await project.refuse(schemaFiles({ title, code }), new RegExp(`title: becomes unique; ${named}`))
      await project.server().request('DELETE', `/api/books/${third}`)
      await project.apply(schemaFiles({ title: { type: 'uid' }, code: integer }))
      assert.match(await project.get('/api/books'), /"title":"7","code":7.*"title":"8","code":8/)
    })

    it('an attribute that becomes private and public again keeps its values', async (t) => {
      const project = await open(t, { title: string, code: string })
      await project.create('books', { title: 'A', code: 'c' })
      const before = Object(await project.data('/api/books'))
      assert.deepEqual(
        summarize(await project.apply(schemaFiles({ title: string, code: { ...string, private: true } }))),
        ['servePrivate safe 1'],
      )
      assert.doesNotMatch(await project.get('/api/books'), /code/)
      await project.apply(schemaFiles({ title: string, code: string }))
      assert.deepEqual(await project.data('/api/books'), before)
    })

    it('indexes are added and removed', async (t) => {
      const project = await open(t, { title: string, pages: { type: 'integer' } })
      await project.create('books', { title: 'A' })
      const attributes = { title: string, pages: { type: 'integer' } }
      const indexed = (...indexes: string[][]) => schemaFiles(attributes, { options: { indexes } })
      assert.deepEqual(summarize(await project.apply(indexed(['title'], ['title', 'pages']))), [
        'addIndex safe 1',
        'addIndex safe 1',
      ])
      assert.deepEqual(summarize(await project.apply(indexed(['title']))), ['dropIndex safe 1'])
    })
  })

  describe('a repeatable attribute', () => {
    it('limited to one relation keeps the first and backs up the others', async (t) => {
      const project = await open(t, { authors: relation() })
      const id = await project.create('books', { authors: [project.bob, project.ann] })
      await project.create('books', { authors: [project.ann] })
      const plan = await project.confirm(
        schemaFiles({ authors: relation({ relation: 'manyToOne' }) }),
        new RegExp(`attribute authors: limited to one target.*1 document \\(${id}\\)`),
      )
      assert.deepEqual(summarize(plan), ['narrowEdges lossy 1'])
      const book = Object(await project.data(`/api/books/${id}?populate=authors`))
      assert.equal(book.authors.documentId, project.bob)
      assert.deepEqual(await project.backups(), [
        'edges: api::book.book, attribute authors, all but the first',
      ])
      await project.apply(schemaFiles({ authors: relation() }))
      assert.equal(Object(await project.data(`/api/books/${id}?populate=authors`)).authors.length, 1)
      await project.untouched()
    })

    it('limited to one entry or fewer components backs up the removed entries and their relations', async (t) => {
      const other = { [componentFile('shared.other')]: component('shared.other', { n: { type: 'integer' } }) }
      const lists = (repeatable: boolean, ...components: string[]) => ({
        ...schemaFiles({
          parts: { type: 'component', component: 'shared.part', repeatable },
          zone: { type: 'dynamiczone', components },
        }),
        ...other,
      })
      const project = await openMigratedProject(t, engine, lists(true, 'shared.part', 'shared.other'))
      const ann = await project.create('authors', { name: 'Ann' })
      const id = await project.create('books', {
        parts: [{ label: '1' }, { label: '2', who: ann }],
        zone: [
          { __component: 'shared.other', n: 1 },
          { __component: 'shared.part', label: 'z', who: ann },
        ],
      })
      const plan = await project.confirm(
        lists(false, 'shared.other'),
        /attribute parts.*1 document.*attribute zone.*1 document/s,
      )
      assert.deepEqual(summarize(plan), ['narrowEntries lossy 1', 'narrowEntries lossy 1'])
      const book = Object(await project.data(`/api/books/${id}?populate=*`))
      assert.equal(book.parts.label, '1')
      assert.deepEqual(
        book.zone.map(({ n }: { n: number }) => n),
        [1],
      )
      assert.deepEqual(await project.backups(), [
        'column: api::book.book, attribute parts',
        'column: api::book.book, attribute zone',
        'edges: api::book.book, relations of removed entries',
        'edges: api::book.book, relations of removed entries',
      ])
    })

    it('keeps its entries when it becomes a dynamic zone', async (t) => {
      const project = await open(t, { parts: { type: 'component', component: 'shared.part' } })
      const id = await project.create('books', { parts: { label: 'x', who: project.ann } })
      const plan = await project.apply(
        schemaFiles({ parts: { type: 'dynamiczone', components: ['shared.part'] } }),
      )
      assert.deepEqual(summarize(plan), [])
      const book = Object(await project.data(`/api/books/${id}?populate[parts][populate]=*`))
      assert.deepEqual(
        [book.parts[0].__component, book.parts[0].label, book.parts[0].who.documentId],
        ['shared.part', 'x', project.ann],
      )
    })
  })
})
