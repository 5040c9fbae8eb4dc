/** Migrations of relations and media attributes that have content. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { collection, component, componentFile, string, TOKEN, typeFile } from '../support/project-server.ts'
import { type MigratedProject, openMigratedProject, summarize } from './migrated-project.ts'

const file = (multiple: boolean, more: object = {}) => ({ type: 'media', multiple, ...more })

async function upload(project: MigratedProject, name: string): Promise<string> {
  const form = new FormData()
  form.set('files', new Blob([`the bytes of ${name}`]), name)
  const encoded = new Response(form)
  const response = await project.server().server.app.inject({
    method: 'POST',
    url: '/api/upload',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': encoded.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  assert.equal(response.statusCode, 201, response.payload)
  return response.json<{ documentId: string }[]>()[0]?.documentId ?? ''
}

onEachEngine((engine) => {
  it('media attributes are renamed, limited and dropped without deleting files', async (t) => {
    const schemaFiles = (attributes: object, inComponent: object) => ({
      [typeFile('page')]: collection('page', {
        ...attributes,
        cards: { type: 'component', component: 'shared.card', repeatable: true },
      }),
      [componentFile('shared.card')]: component('shared.card', { label: string, ...inComponent }),
    })
    const project = await openMigratedProject(
      t,
      engine,
      schemaFiles({ pictures: file(true) }, { pictures: file(true) }),
    )
    const [a, b] = [await upload(project, 'a.txt'), await upload(project, 'b.txt')]
    const id = await project.create('pages', { pictures: [b, a], cards: [{ label: 'x', pictures: [a, b] }] })
    const url = `/api/pages/${id}?populate[PICTURES]=true&populate[cards][populate]=PICTURES`
    const was = await project.get(url.replaceAll('PICTURES', 'pictures'))
    const images = file(true, { renamedFrom: 'pictures' })
    const renamed = await project.apply(schemaFiles({ images }, { images }))
    assert.deepEqual(summarize(renamed), ['renameAttribute safe 1', 'renameAttribute safe 1'])
    const is = await project.get(url.replaceAll('PICTURES', 'images'))
    assert.equal(is.replaceAll('"images"', '"pictures"'), was)

    const narrowed = await project.confirm(
      schemaFiles({ images: file(false) }, { images: file(false) }),
      /attribute images: limited to one file/,
    )
    assert.deepEqual(summarize(narrowed), ['narrowEdges lossy 1', 'narrowEdges lossy 1'])
    const one = Object(await project.data(url.replaceAll('PICTURES', 'images')))
    assert.deepEqual([one.images.documentId, one.cards[0].images.documentId], [b, a])

    await project.confirm(schemaFiles({}, {}), /attribute images: deleted/)
    assert.equal(Object(await project.data(`/api/pages/${id}?populate=*`)).images, undefined)
    assert.equal((await project.backups()).length, 4)
    const files = JSON.parse(await project.get('/api/upload/files'))
    assert.equal(files.length, 2)
  })

  it('a target that is limited to one owner keeps the first', async (t) => {
    const books = (relation: string) => ({
      [typeFile('author')]: collection('author', {
        name: string,
        books: { type: 'relation', relation, target: 'api::book.book', inversedBy: 'authors' },
      }),
      [typeFile('book')]: collection('book', {
        title: string,
        authors: {
          type: 'relation',
          relation: relation === 'oneToMany' ? 'manyToOne' : 'manyToMany',
          target: 'api::author.author',
          mappedBy: 'books',
        },
      }),
    })
    const project = await openMigratedProject(t, engine, books('manyToMany'))
    const book = await project.create('books', { title: 'shared' })
    const first = await project.create('authors', { name: 'first', books: [book] })
    const second = await project.create('authors', { name: 'second', books: [book] })
    const plan = await project.confirm(
      books('oneToMany'),
      new RegExp(`attribute books: each target limited to one owner.*1 document \\(${second}\\)`),
    )
    assert.deepEqual(summarize(plan), ['narrowEdges lossy 1'])
    const shown = Object(await project.data(`/api/books/${book}?populate=authors`))
    assert.equal(shown.authors.documentId, first)
    assert.deepEqual(Object(await project.data(`/api/authors/${second}?populate=books`)).books, [])
  })

  it('adding and removing the inverse side of a relation changes no content', async (t) => {
    const books = (inversedBy: object, authors: object) => ({
      [typeFile('author')]: collection('author', {
        name: string,
        books: { type: 'relation', relation: 'manyToMany', target: 'api::book.book', ...inversedBy },
      }),
      [typeFile('book')]: collection('book', { title: string, ...authors }),
    })
    const other = (name: string, more: object = {}) => ({
      [name]: {
        type: 'relation',
        relation: 'manyToMany',
        target: 'api::author.author',
        mappedBy: 'books',
        ...more,
      },
    })
    const project = await openMigratedProject(t, engine, books({}, {}))
    const book = await project.create('books', { title: 'one' })
    const author = await project.create('authors', { name: 'A', books: [book] })
    const was = await project.get('/api/authors?populate=books')
    const plan = await project.apply(books({ inversedBy: 'authors' }, other('authors')))
    assert.deepEqual(summarize(plan), ['addAttribute safe 1'])
    assert.equal(
      Object(await project.data(`/api/books/${book}?populate=authors`)).authors[0].documentId,
      author,
    )
    await project.apply(books({ inversedBy: 'writers' }, other('writers', { renamedFrom: 'authors' })))
    assert.equal(
      Object(await project.data(`/api/books/${book}?populate=writers`)).writers[0].documentId,
      author,
    )
    await project.confirm(books({}, {}), /attribute writers: deleted; it holds no content/)
    assert.equal(await project.get('/api/authors?populate=books'), was)
    assert.deepEqual(await project.backups(), [])
  })
})
