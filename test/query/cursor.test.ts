/** Cursor pages: their meta, what is refused and why, and what a cursor reveals. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../support/engines.ts'
import { encodedPath, sendRequest } from '../support/http-request.ts'
import { serve, type TestServer } from '../support/server.ts'

const TOKEN = 'token-of-the-cursor-tests-0123456789abcdef'

const BOOK = {
  kind: 'collectionType',
  collectionName: 'books',
  info: { singularName: 'book', pluralName: 'books', displayName: 'Book' },
  options: { draftAndPublish: true, indexes: [['pages']] },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    title: { type: 'string' },
    pages: { type: 'integer' },
    blurb: { type: 'text' },
    secret: { type: 'string', private: true },
    hidden: { type: 'boolean' },
    author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
  },
}
const AUTHOR = {
  kind: 'collectionType',
  collectionName: 'authors',
  info: { singularName: 'author', pluralName: 'authors', displayName: 'Author' },
  attributes: { name: { type: 'string' }, secret: { type: 'string', private: true } },
}

const PROJECT = new Map<string, unknown>([
  ['config/locales.json', { default: 'en', locales: ['en', 'fr'] }],
  ['config/tokens.json', { full: { type: 'full-access', token: TOKEN } }],
  [
    'config/roles.json',
    { public: { 'api::book.book': [{ action: 'find', filters: { hidden: { $ne: true } } }] } },
  ],
  ['src/api/book/content-types/book/schema.json', BOOK],
  ['src/api/author/content-types/author/schema.json', AUTHOR],
])

interface Page {
  readonly status: number
  readonly text: string
  readonly titles: readonly string[]
  readonly pagination: {
    readonly pageSize?: number
    readonly total?: number
    readonly nextCursor?: string | null
    readonly previousCursor?: string | null
  }
  readonly error: { readonly name?: string; readonly message?: string }
}

onEachEngine((engine) => {
  let running: TestServer

  const send = (method: string, url: string, as: string | null = TOKEN, body?: object) =>
    sendRequest(
      running.server,
      method,
      encodedPath(`/api${url}`),
      as === null ? {} : { authorization: `Bearer ${as}` },
      body && JSON.stringify(body),
    )

  async function get(url: string, as: string | null = TOKEN): Promise<Page> {
    const { status, text } = await send('GET', url, as)
    const { data, meta, error = {} } = JSON.parse(text)
    const titles = Array.isArray(data) ? data.map(({ title }: { title: string }) => title) : []
    return { status, text, titles, pagination: meta?.pagination ?? {}, error }
  }

  const books = (query: string, as: string | null = TOKEN) => get(`/books?fields=title&${query}`, as)

  async function make(data: object): Promise<void> {
    const { status, text } = await send('POST', '/books', TOKEN, { data })
    assert.equal(status, 201, text)
  }

  /** The cursor of the next page. */
  async function nextOf(query: string, as: string | null = TOKEN): Promise<string> {
    const { pagination, text } = await books(query, as)
    return pagination.nextCursor ?? assert.fail(text)
  }

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl(), { api: { rest: { maxLimit: 50 } } })
    for (const [title, pages, hidden] of [
      ['Alba', 300, false],
      ['Bora', null, false],
      ['Cima', 120, true],
      ['Dora', 300, false],
      ['Elba', 80, false],
    ] as const) {
      await make({ title, pages, hidden, secret: `secret of ${title}` })
    }
  })
  after(() => running?.close())

  describe('a page by cursor', () => {
    it('starts with an empty cursor or start, and leads to the next page and back', async () => {
      const first = await books('sort=title&pagination[cursor]=start&pagination[pageSize]=2')
      assert.deepEqual(first.titles, ['Alba', 'Bora'])
      assert.deepEqual(await books('sort=title&pagination[cursor]=&pagination[limit]=2'), first)
      assert.deepEqual(Object.keys(first.pagination), ['pageSize', 'nextCursor', 'previousCursor'])
      assert.equal(first.pagination.previousCursor, null)

      const go = (cursor: string | null | undefined) =>
        books(`sort=title&pagination[pageSize]=2&pagination[cursor]=${cursor}`)
      const second = await go(first.pagination.nextCursor)
      assert.deepEqual(second.titles, ['Cima', 'Dora'])
      const third = await go(second.pagination.nextCursor)
      assert.deepEqual(third.titles, ['Elba'])
      assert.equal(third.pagination.nextCursor, null)

      const back = await go(third.pagination.previousCursor)
      assert.deepEqual(back.titles, ['Cima', 'Dora'])
      const again = await go(back.pagination.previousCursor)
      assert.deepEqual(again.titles, ['Alba', 'Bora'])
      assert.equal(again.pagination.previousCursor, null)
      assert.deepEqual((await go(again.pagination.nextCursor)).titles, ['Cima', 'Dora'])
    })

    it('has a count only when it is requested, also when it is empty', async () => {
      const all = await books('pagination[cursor]=start&pagination[pageSize]=2&pagination[withCount]=true')
      assert.equal(all.pagination.total, 5)
      const none = await books('filters[title]=no&pagination[cursor]=start&pagination[withCount]=true')
      assert.deepEqual(none.pagination, { pageSize: 25, total: 0, nextCursor: null, previousCursor: null })
      assert.deepEqual(none.titles, [])
    })

    it('can have another size than the page before', async () => {
      const cursor = await nextOf('sort=title&pagination[cursor]=start&pagination[pageSize]=1')
      const { titles, pagination } = await books(
        `sort=title&pagination[cursor]=${cursor}&pagination[limit]=1000`,
      )
      assert.deepEqual(titles, ['Bora', 'Cima', 'Dora', 'Elba'])
      assert.equal(pagination.pageSize, 50)
    })

    it('leads back from behind the end of the list', async () => {
      await make({ title: 'Zara' })
      const cursor = await nextOf('sort=title&pagination[cursor]=start&pagination[pageSize]=5')
      const { text } = await books('filters[title]=Zara')
      const { documentId } = JSON.parse(text).data[0]
      await send('DELETE', `/books/${documentId}`)
      const beyond = await books(`sort=title&pagination[cursor]=${cursor}`)
      assert.deepEqual(beyond.titles, [])
      assert.equal(beyond.pagination.nextCursor, null)
      const back = await books(`sort=title&pagination[cursor]=${beyond.pagination.previousCursor}`)
      assert.deepEqual(back.titles, ['Alba', 'Bora', 'Cima', 'Dora', 'Elba'])
    })

    it('has the selection and order of its list', async () => {
      const query = 'sort=pages:desc,title:desc&filters[title][$ne]=Alba&pagination[pageSize]=3'
      const cursor = await nextOf(`${query}&pagination[cursor]=start`)
      const { titles } = await books(`${query}&pagination[cursor]=${cursor}`)
      assert.deepEqual(titles, ['Bora'])
    })
  })

  describe('a cursor is refused', () => {
    const refused = async (query: string, message: RegExp, path = '/books', name = 'ValidationError') => {
      const { status, error } = await get(`${path}?${query}`)
      assert.deepEqual([status, error.name], [400, name], `${query} ${error.message}`)
      assert.match(String(error.message), message)
    }

    it('together with page or start', async () => {
      for (const other of ['page', 'start'])
        await refused(
          `pagination[cursor]=start&pagination[${other}]=1`,
          /not with page or start/,
          '/books',
          'PaginationError',
        )
    })

    it('when it is not a string', async () => {
      const { status, error } = await get('/books?pagination[cursor][0]=a&pagination[cursor][1]=b')
      assert.deepEqual([status, error.name], [400, 'ValidationError'])
    })

    it('with another query', async () => {
      const own = 'sort=title&pagination[pageSize]=1'
      const cursor = await nextOf(`${own}&pagination[cursor]=start`)
      for (const other of [
        'sort=title:desc',
        'sort=pages',
        'filters[pages]=300&sort=title',
        '_q=a&sort=title',
        'status=draft&sort=title',
        'locale=fr&sort=title',
        '',
      ]) {
        await refused(`${other}&pagination[cursor]=${cursor}`, /another query/)
      }
      await refused(`sort=id&pagination[cursor]=${cursor}`, /another query/, '/authors')
      const others = await books(`${own}&pagination[cursor]=${cursor}`, null)
      assert.equal(others.status, 400, 'a cursor of a caller who sees other documents')
    })

    it('when any part of it is changed', async () => {
      const cursor = await nextOf('sort=pages&pagination[pageSize]=2&pagination[cursor]=start')
      await fc.assert(
        fc.asyncProperty(fc.nat(cursor.length - 1), fc.constantFrom(...'aZ0-_.%'), async (at, character) => {
          const changed = cursor.slice(0, at) + character + cursor.slice(at + 1)
          fc.pre(changed !== cursor)
          const { status, error } = await books(
            `sort=pages&pagination[cursor]=${encodeURIComponent(changed)}`,
          )
          assert.deepEqual([status, error.name], [400, 'ValidationError'], changed)
        }),
        { numRuns: 60 },
      )
      for (const wrong of ['x', '1', 'W10', 'null', 'bnVsbA', `${cursor}x`, cursor.slice(0, -4)])
        await refused(`sort=pages&pagination[cursor]=${wrong}`, /damaged/)
    })

    it('in a list whose response has no meta', async () => {
      for (const path of ['/users', '/upload/files'])
        await refused('pagination[cursor]=start', /has no meta/, path)
    })

    it('when the sort value is too long', async () => {
      await make({ title: 'Long', blurb: 'é'.repeat(3_000) })
      await refused('sort=blurb:desc&pagination[cursor]=start&pagination[pageSize]=1', /too long/)
    })
  })

  describe('a cursor contains nothing that the caller may not read', () => {
    const content = (cursor: string) => Buffer.from(cursor, 'base64url').toString()

    it('because sorting by a private attribute is refused', async () => {
      for (const sort of ['secret', 'author.secret', 'author.name'])
        assert.equal((await books(`sort=${sort}&pagination[cursor]=start`, null)).status, 400, sort)
      assert.equal((await books('sort=author.secret&pagination[cursor]=start')).status, 400)
    })

    it('such as values of hidden documents', async () => {
      const query = 'sort=title&pagination[pageSize]=2'
      const cursor = await nextOf(`${query}&pagination[cursor]=start`, null)
      assert.match(content(cursor), /Bora/)
      assert.doesNotMatch(content(cursor), /Cima|Dora|secret/)
      const { titles, pagination } = await books(`${query}&pagination[cursor]=${cursor}`, null)
      assert.deepEqual(titles, ['Dora', 'Elba'])
      for (const one of [pagination.nextCursor, pagination.previousCursor])
        assert.doesNotMatch(content(one ?? ''), /Cima|secret/)
    })
  })
})
