/**
 * Documents in relations that the caller may not see: a client that reads a list, changes it and sends it back must not
 * remove what it was never shown.
 */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { type Method, request } from './client.ts'

const PAGE = 'api::page.page'
const FILE = 'plugin::upload.file'

/**
 * `ruled` sees approved pages and open files, `published` no drafts, `guest` some rooms, `partial` no notes, and `full`
 * everything.
 */
const CALLERS = ['ruled', 'published', 'guest', 'partial', 'full'] as const
type Caller = (typeof CALLERS)[number]
const tokenOf = (caller: Caller) => `token-of-the-hidden-relations-${caller}-0123456789`

const type = (singular: string, attributes: unknown, draftAndPublish = false) =>
  [
    `src/api/${singular}/content-types/${singular}/schema.json`,
    {
      kind: 'collectionType',
      info: { singularName: singular, pluralName: `${singular}s`, displayName: singular },
      options: { draftAndPublish },
      attributes,
    },
  ] as const
const component = (name: string, attributes: unknown) =>
  [`src/components/shared/${name}.json`, { info: { displayName: name }, attributes }] as const
const relation = (kind: string, target: string, side: Readonly<Record<string, string>> = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...side,
})

const WRITES = ['find', 'findOne', 'create', 'update', 'readHistory']
const LISTS = { 'api::shelf.shelf': WRITES, 'api::room.room': WRITES, 'api::note.note': WRITES }

const PROJECT = new Map<string, unknown>([
  type(
    'page',
    {
      title: { type: 'string' },
      approved: { type: 'boolean' },
      shelves: relation('manyToMany', 'shelf', { mappedBy: 'pages' }),
      room: relation('manyToOne', 'room', { inversedBy: 'pages' }),
      guide: relation('oneToOne', 'room', { inversedBy: 'guide' }),
    },
    true,
  ),
  type(
    'shelf',
    {
      title: { type: 'string' },
      pages: relation('manyToMany', 'page', { inversedBy: 'shelves' }),
      first: relation('oneToOne', 'page'),
      anything: { type: 'relation', relation: 'morphToMany' },
      images: { type: 'media', multiple: true },
      cover: { type: 'media', multiple: false },
      card: { type: 'component', component: 'shared.card' },
      zone: { type: 'dynamiczone', components: ['shared.card'] },
    },
    true,
  ),
  type('room', {
    title: { type: 'string' },
    pages: relation('oneToMany', 'page', { mappedBy: 'room' }),
    guide: relation('oneToOne', 'page', { mappedBy: 'guide' }),
  }),
  type('note', { title: { type: 'string' } }),
  component('card', {
    label: { type: 'string' },
    pages: relation('oneToMany', 'page'),
    first: relation('oneToOne', 'page'),
    images: { type: 'media', multiple: true },
    inner: { type: 'component', component: 'shared.inner', repeatable: true },
  }),
  component('inner', { pages: relation('oneToMany', 'page') }),
  [
    'config/tokens.json',
    {
      full: { type: 'full-access', token: tokenOf('full') },
      ruled: {
        type: 'custom',
        token: tokenOf('ruled'),
        permissions: {
          ...LISTS,
          [PAGE]: [{ action: 'find', filters: { approved: true } }, 'create', 'update'],
          [FILE]: [{ action: 'find', filters: { caption: 'open' } }, 'upload'],
        },
      },
      published: {
        type: 'custom',
        token: tokenOf('published'),
        permissions: { ...LISTS, [PAGE]: ['find', 'update', '-readDrafts'] },
      },
      guest: {
        type: 'custom',
        token: tokenOf('guest'),
        permissions: {
          'api::room.room': [{ action: 'find', filters: { title: 'mine' } }, 'update'],
          [PAGE]: ['find', 'update'],
        },
      },
      partial: {
        type: 'custom',
        token: tokenOf('partial'),
        permissions: { 'api::shelf.shelf': WRITES, [PAGE]: ['find'] },
      },
    },
  ],
])

onEachEngine((engine) => {
  let running: TestServer
  let a: string
  let b: string
  let c: string
  let hidden: string
  let other: string
  let draft: string

  const send = (as: Caller, method: Method, path: string, data?: unknown) =>
    request(running.server, method, `/api/${path}`, {
      as: tokenOf(as),
      ...(data === undefined ? {} : { body: { data } }),
    })
  const create = async (path: string, data: unknown) => {
    const response = await send('full', 'POST', path, data)
    assert.equal(response.status, 201, response.text)
    return String(response.at('data', 'documentId'))
  }
  /** The status of a PUT whose response must not name what is hidden. */
  const put = async (as: Caller, path: string, data: unknown) => {
    const { status, text } = await send(as, 'PUT', path, data)
    if (as === 'ruled') for (const one of [hidden, other]) assert.doesNotMatch(text, new RegExp(one))
    return status
  }
  /** The documents at a path of what `full` sees, in order; one for a to-one relation. */
  const related = async (path: string, populate: string, ...at: (string | number)[]) => {
    const { text, at: found } = await send('full', 'GET', `${path}?status=draft&${populate}`)
    const value = found('data', ...at)
    assert.notEqual(value, undefined, text)
    return Array.isArray(value) ? value.map(({ documentId }) => documentId) : Object(value).documentId
  }
  const upload = async (as: Caller, caption: string, fields: Readonly<Record<string, string>> = {}) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('fileInfo', JSON.stringify({ caption }))
    form.set('files', new Blob(['text'], { type: 'text/plain' }), 'note.txt')
    const headers = { authorization: `Bearer ${tokenOf(as)}` }
    const response = await fetch(`${running.base}/api/upload`, { method: 'POST', body: form, headers })
    const text = await response.text()
    return { status: response.status, documentId: response.ok ? String(JSON.parse(text)[0].documentId) : '' }
  }

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
    const page = (title: string, approved: boolean, query = '') =>
      create(`pages${query}`, { title, approved })
    a = await page('a', true)
    b = await page('b', true)
    c = await page('c', true)
    hidden = await page('hidden', false)
    other = await page('other', false)
    draft = await page('draft', true, '?status=draft')
  })
  after(() => running?.close())

  /** Full lists that the caller sends, and the list that results from `[hidden, a, other, b]`. */
  const lists = (): [unknown, string[]][] => [
    [
      [a, b],
      [hidden, a, other, b],
    ],
    [
      [b, a],
      [hidden, b, a, other],
    ],
    [{ set: [c, a] }, [hidden, c, a, other]],
    [{ set: [b] }, [hidden, other, b]],
    [[], [hidden, other]],
    [null, [hidden, other]],
    [{ set: [] }, [hidden, other]],
    [{ connect: [c], disconnect: [a] }, [hidden, other, b, c]],
  ]

  for (const query of ['', '?status=draft'])
    it(`a full list keeps hidden documents in their order${query}`, async () => {
      for (const [sent, expected] of lists()) {
        const shelf = await create('shelfs', { pages: [hidden, a, other, b] })
        assert.equal(await put('ruled', `shelfs/${shelf}${query}`, { pages: sent }), 200)
        const found = await related(`shelfs/${shelf}`, 'populate=pages', 'pages')
        assert.deepEqual(found, expected, JSON.stringify(sent))
        assert.deepEqual(
          await related(`pages/${hidden}`, 'populate=shelves', 'shelves').then((all) => all.includes(shelf)),
          true,
        )
      }
    })

  it('the other side of a relation keeps hidden documents too', async () => {
    for (const [sent, expected] of lists()) {
      const room = await create('rooms', { pages: [hidden, a, other, b] })
      assert.equal(await put('ruled', `rooms/${room}`, { pages: sent }), 200, JSON.stringify(sent))
      for (const status of ['draft', 'published']) {
        const { at } = await send('full', 'GET', `rooms/${room}?populate=pages&status=${status}`)
        const found = Object(at('data', 'pages')).map(({ documentId }: { documentId: string }) => documentId)
        assert.deepEqual(found, expected, JSON.stringify(sent))
      }
    }
  })

  it('lists in components, zones and nested components keep hidden documents', async () => {
    const content = { label: 'old', pages: [hidden, a], inner: [{ pages: [a, hidden] }] }
    const shelf = await create('shelfs', {
      card: content,
      zone: [{ __component: 'shared.card', ...content }],
    })
    const inside = (name: string) => `${name}[populate][pages]=true&${name}[populate][inner][populate]=pages`
    const show = ['populate[card]', 'populate[zone][on][shared.card]'].map(inside).join('&')
    const { at } = await send('full', 'GET', `shelfs/${shelf}?status=draft&${show}`)
    const entry = (...path: (string | number)[]) => ({
      id: at('data', ...path, 'id'),
      pages: [b],
      inner: [{ id: at('data', ...path, 'inner', 0, 'id'), pages: [] }],
    })
    const data = { card: entry('card'), zone: [{ __component: 'shared.card', ...entry('zone', 0) }] }
    assert.equal(await put('ruled', `shelfs/${shelf}`, data), 200)
    for (const path of [['card'], ['zone', 0]]) {
      assert.deepEqual(await related(`shelfs/${shelf}`, show, ...path, 'pages'), [hidden, b])
      assert.deepEqual(await related(`shelfs/${shelf}`, show, ...path, 'inner', 0, 'pages'), [hidden])
    }
  })

  it('a hidden document in a to-one relation is not cleared, and replacing it is refused', async () => {
    const shelf = await create('shelfs', { first: hidden, card: { first: hidden } })
    const { at } = await send('full', 'GET', `shelfs/${shelf}?status=draft&populate=card`)
    const room = await create('rooms', { guide: hidden })
    const card = (first: unknown) => ({ card: { id: at('data', 'card', 'id'), first } })
    for (const [path, wrap] of [
      [`shelfs/${shelf}`, (first: unknown) => ({ first })],
      [`shelfs/${shelf}`, card],
      [`rooms/${room}`, (guide: unknown) => ({ guide })],
    ] as const) {
      for (const none of [null, [], { set: [] }]) assert.equal(await put('ruled', path, wrap(none)), 200)
      for (const one of [a, { connect: [a] }, { set: [a] }])
        assert.equal(await put('ruled', path, wrap(one)), 403, JSON.stringify(one))
    }
    // From the side of the page, the room has a hidden page already.
    assert.equal(await put('ruled', `pages/${a}`, { guide: room }), 403)
    const show = 'populate[first]=true&populate[card][populate]=first'
    assert.equal(await related(`shelfs/${shelf}`, show, 'first'), hidden)
    assert.equal(await related(`shelfs/${shelf}`, show, 'card', 'first'), hidden)
    assert.equal(await related(`rooms/${room}`, 'populate=guide', 'guide'), hidden)
    assert.equal(await put('full', `shelfs/${shelf}`, { first: a }), 200)
    assert.equal(await put('ruled', `shelfs/${shelf}`, { first: b }), 200)
    assert.equal(await put('ruled', `shelfs/${shelf}`, { first: null }), 200)
    assert.equal(await related(`shelfs/${shelf}`, show, 'first'), undefined)
  })

  it('hidden files stay attached', async () => {
    const [open, shut] = [
      (await upload('full', 'open')).documentId,
      (await upload('full', 'shut')).documentId,
    ]
    const shelf = await create('shelfs', {
      images: [shut, open],
      cover: shut,
      card: { images: [open, shut] },
    })
    const { at } = await send('full', 'GET', `shelfs/${shelf}?status=draft&populate=card`)
    const data = { images: [], cover: null, card: { id: at('data', 'card', 'id'), images: [open] } }
    assert.equal(await put('ruled', `shelfs/${shelf}`, data), 200)
    const show = 'populate[images]=true&populate[cover]=true&populate[card][populate]=images'
    const shown = (...path: string[]) => related(`shelfs/${shelf}`, show, ...path)
    assert.deepEqual(await shown('images'), [shut])
    assert.deepEqual(await shown('card', 'images'), [open, shut])
    assert.equal(await put('ruled', `shelfs/${shelf}`, { cover: open }), 403)
    const attach = { ref: 'api::shelf.shelf', refId: shelf, field: 'cover' }
    assert.equal((await upload('ruled', 'open', attach)).status, 403)
    assert.equal(await shown('cover'), shut)
    assert.equal((await upload('full', 'open', attach)).status, 201)
    assert.equal((await upload('ruled', 'open', attach)).status, 201)
  })

  it('drafts stay in the relations of callers who may not read drafts', async () => {
    const shelf = await create('shelfs', { pages: [a, draft, b] })
    assert.equal(await put('published', `shelfs/${shelf}`, { pages: [b] }), 200)
    assert.deepEqual(await related(`shelfs/${shelf}`, 'populate=pages', 'pages'), [draft, b])
    const room = await create('rooms', { guide: draft })
    for (const [path, data] of [
      [`pages/${a}?status=draft`, { guide: room }],
      [`pages/${a}`, { guide: room }],
      [`rooms/${room}`, { guide: a }],
    ] as const)
      assert.equal(await put('published', path, data), 403, path)
    assert.equal(await related(`rooms/${room}`, 'populate=guide', 'guide'), draft)
  })

  it('a polymorphic list keeps documents of content-types that the caller may not find', async () => {
    const note = await create('notes', { title: 'note' })
    const typed = (uid: string, documentId: string) => ({ __type: uid, documentId })
    const [one, two] = [typed(PAGE, a), typed(PAGE, b)]
    const anything = [typed('api::note.note', note), one]
    const shelf = await create('shelfs', { anything })
    assert.equal(await put('partial', `shelfs/${shelf}`, { anything: [two] }), 200)
    assert.deepEqual(await related(`shelfs/${shelf}`, 'populate[anything][populate]=*', 'anything'), [
      note,
      b,
    ])
  })

  it('a document is not taken from another that the caller may not see, from either side', async () => {
    const [mine, theirs] = [
      await create('rooms', { title: 'mine' }),
      await create('rooms', { title: 'theirs' }),
    ]
    const page = await create('pages', { title: 'taken', approved: true, room: theirs, guide: theirs })
    for (const pages of [[page], { connect: [page] }])
      assert.equal(await put('guest', `rooms/${mine}`, { pages }), 403)
    assert.equal(await put('guest', `rooms/${mine}`, { guide: page }), 403)
    assert.equal(await put('guest', `pages/${page}`, { room: mine }), 403)
    assert.equal(await put('guest', `pages/${page}`, { room: null, guide: null }), 200)
    assert.equal(await related(`pages/${page}`, 'populate=room', 'room'), theirs)
    assert.equal(await related(`pages/${page}`, 'populate=guide', 'guide'), theirs)
    const free = await create('pages', { title: 'free', approved: true })
    assert.equal(await put('guest', `rooms/${mine}`, { pages: [free], guide: free }), 200)
  })

  it('restoring a saved state keeps hidden documents that were added since', async () => {
    const shelf = await create('shelfs', { pages: [a, b] })
    const history = await send('full', 'GET', `shelfs/${shelf}/history`)
    const version = history.at('data', 0, 'version')
    assert.equal(await put('full', `shelfs/${shelf}`, { pages: [hidden] }), 200)
    const restored = await send('ruled', 'POST', `shelfs/${shelf}/history/${version}/restore`)
    assert.equal(restored.status, 200, restored.text)
    assert.deepEqual(await related(`shelfs/${shelf}`, 'populate=pages', 'pages'), [hidden, a, b])
  })
})
