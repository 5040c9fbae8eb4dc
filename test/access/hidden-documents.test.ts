/**
 * A document that a rule hides does not exist: every request that names it gets the response that a missing document
 * gets. Each request is sent for a hidden document, for a missing one and, as a control, for a visible one.
 */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { type Method, request } from './client.ts'

const PAGE = 'api::page.page'
const FILE = 'plugin::upload.file'
const USER = 'plugin::users-permissions.user'

/** Every action on approved documents only; `blind` may not read at all, `published` may not read drafts. */
const CALLERS = ['ruled', 'blind', 'published', 'full'] as const
type Caller = (typeof CALLERS)[number]
const tokenOf = (caller: Caller) => `token-of-the-hidden-documents-${caller}-0123456789`

const only = (filters: unknown, actions: readonly string[]) => actions.map((action) => ({ action, filters }))
const READS = ['find', 'findOne']
const WRITES = ['update', 'delete', 'publish', 'unpublish', 'discard']
const APPROVED = { approved: true }

const type = (kind: string, singular: string, attributes: unknown, draftAndPublish = true) =>
  [
    `src/api/${singular}/content-types/${singular}/schema.json`,
    {
      kind,
      info: { singularName: singular, pluralName: `${singular}s`, displayName: singular },
      options: { draftAndPublish },
      ...(singular === 'page' && { pluginOptions: { i18n: { localized: true } } }),
      attributes,
    },
  ] as const
const pages = (side: Readonly<Record<string, string>>, kind = 'manyToMany') => ({
  type: 'relation',
  relation: kind,
  target: PAGE,
  ...side,
})

const PROJECT = new Map<string, unknown>([
  type('collectionType', 'page', {
    title: { type: 'string' },
    approved: { type: 'boolean' },
    cover: { type: 'media', multiple: false },
    shelves: { type: 'relation', relation: 'manyToMany', target: 'api::shelf.shelf', mappedBy: 'pages' },
    room: { type: 'relation', relation: 'manyToOne', target: 'api::room.room', inversedBy: 'pages' },
  }),
  type('singleType', 'home', { title: { type: 'string' }, approved: { type: 'boolean' } }),
  type(
    'collectionType',
    'shelf',
    {
      pages: pages({ inversedBy: 'shelves' }),
      cover: { type: 'media', multiple: false },
      card: { type: 'component', component: 'shared.card' },
    },
    false,
  ),
  type('collectionType', 'room', { pages: pages({ mappedBy: 'room' }, 'oneToMany') }, false),
  [
    'src/components/shared/card.json',
    { info: { displayName: 'card' }, attributes: { page: pages({}, 'oneToOne') } },
  ],
  ['config/locales.json', { default: 'en', locales: ['en', 'fr'] }],
  [
    'config/tokens.json',
    {
      full: { type: 'full-access', token: tokenOf('full') },
      ruled: {
        type: 'custom',
        token: tokenOf('ruled'),
        permissions: {
          [PAGE]: [...only(APPROVED, [...READS, ...WRITES]), 'create'],
          'api::home.home': only(APPROVED, ['find', ...WRITES]),
          'api::shelf.shelf': ['find', 'create', 'update'],
          'api::room.room': ['find', 'create', 'update'],
          [FILE]: [...only({ caption: 'open' }, [...READS, 'update', 'destroy']), 'upload'],
          [USER]: only({ username: 'open' }, [...READS, 'update', 'delete']),
        },
      },
      blind: {
        type: 'custom',
        token: tokenOf('blind'),
        permissions: {
          [PAGE]: only(APPROVED, WRITES),
          [FILE]: ['upload', ...only({ caption: 'open' }, ['destroy'])],
          [USER]: only({ username: 'open' }, ['update', 'delete']),
        },
      },
      published: {
        type: 'custom',
        token: tokenOf('published'),
        permissions: {
          [PAGE]: ['find', '-readDrafts'],
          'api::shelf.shelf': ['find', 'create', 'update'],
          'api::room.room': ['find', 'create', 'update'],
        },
      },
    },
  ],
])

/** A document by its two ids. */
interface Named {
  readonly documentId: string
  readonly id: number
}

interface Sent {
  readonly method: Method
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

type Way = (named: Named) => Sent

const MISSING: Named = { documentId: 'nosuchdocument0000000000', id: 987_654_321 }

const put = (path: string, data: unknown, headers = {}): Sent => ({
  method: 'PUT',
  path,
  body: { data },
  headers,
})

const WRITING_WAYS: readonly Way[] = [
  ...[{}, { title: 'new' }, { title: 5 }, { approved: true }, { unknown: 1 }].flatMap((data): Way[] => [
    ({ documentId }) => put(`/pages/${documentId}`, data),
    ({ documentId }) => put(`/pages/${documentId}?status=draft`, data),
    ({ documentId }) => put(`/pages/${documentId}?locale=fr`, data),
  ]),
  ({ id }) => put(`/pages/${id}`, {}),
  ...['*', '"1"', '"999"'].flatMap((tag): Way[] => [
    ({ documentId }) => put(`/pages/${documentId}`, {}, { 'if-match': tag }),
    ({ documentId }) => ({ method: 'DELETE', path: `/pages/${documentId}`, headers: { 'if-match': tag } }),
    ({ documentId }) => ({
      method: 'POST',
      path: `/pages/${documentId}/actions/publish`,
      headers: { 'if-match': tag },
    }),
  ]),
  ...['publish', 'unpublish', 'discard'].flatMap((action): Way[] => [
    ({ documentId }) => ({ method: 'POST', path: `/pages/${documentId}/actions/${action}` }),
    ({ documentId }) => ({ method: 'POST', path: `/pages/${documentId}/actions/${action}?locale=fr` }),
  ]),
  ...['', '?locale=*', '?locale=fr'].map(
    (query): Way =>
      ({ documentId }) => ({ method: 'DELETE', path: `/pages/${documentId}${query}` }),
  ),
]

const READING_WAYS: readonly Way[] = [
  '',
  '?populate=*',
  '?status=draft',
  '?locale=fr',
  '?fields=unknown',
].flatMap((query): Way[] => [
  ({ documentId }) => ({ method: 'GET', path: `/pages/${documentId}${query}` }),
  ({ documentId }) => ({ method: 'HEAD', path: `/pages/${documentId}${query}` }),
])

/** Bodies that name a document in a relation. */
const RELATION_WAYS: readonly Way[] = ['documentId', 'id'].flatMap((key): Way[] => {
  const named = (one: Named) => (key === 'id' ? one.id : one.documentId)
  const values = [
    (one: Named) => [named(one)],
    (one: Named) => ({ set: [{ [key]: named(one) }] }),
    (one: Named) => ({ connect: [named(one)] }),
    (one: Named) => ({ connect: [{ [key]: named(one), position: { start: true } }] }),
    (one: Named) => ({ disconnect: [named(one)] }),
  ]
  return [
    ...['/shelfs/SHELF', '/rooms/ROOM'].flatMap((path) =>
      values.map(
        (value): Way =>
          (one) =>
            put(path, { pages: value(one) }),
      ),
    ),
    ...['before', 'after'].map(
      (place): Way =>
        (one) =>
          put('/shelfs/SHELF', {
            pages: { connect: [{ documentId: 'OTHER', position: { [place]: named(one) } }] },
          }),
    ),
    (one) => put('/shelfs/SHELF', { card: { page: named(one) } }),
    (one) => ({ method: 'POST', path: '/shelfs', body: { data: { pages: [named(one)] } } }),
  ]
})

const inBatch =
  (way: Way): Way =>
  (named) => {
    const { method, path, body, headers } = way(named)
    const ifMatch = headers?.['if-match']
    const operation = { method, path: `/api${path}`, body, ...(ifMatch === undefined ? {} : { ifMatch }) }
    return { method: 'POST', path: '/batch', body: { operations: [operation] } }
  }

onEachEngine((engine) => {
  let running: TestServer
  const ids = new Map<string, string>()
  let visible: Named
  let hidden: Named
  let draftOnly: Named

  const send = ({ method, path, body, headers = {} }: Sent, as: Caller) => {
    const filled = (text: string) => text.replaceAll(/SHELF|ROOM|OTHER/g, (word) => ids.get(word) ?? word)
    return request(running.server, method, `/api${filled(path)}`, {
      as: tokenOf(as),
      headers,
      ...(body === undefined ? {} : { body: JSON.parse(filled(JSON.stringify(body))) }),
    })
  }
  const create = async (path: string, data: unknown) => {
    const response = await send({ method: 'POST', path, body: { data } }, 'full')
    assert.equal(response.status, 201, response.text)
    return String(response.at('data', 'documentId'))
  }
  const createPage = async (data: unknown, query = ''): Promise<Named> => {
    const documentId = await create(`/pages${query}`, data)
    const draft = await send({ method: 'GET', path: `/pages/${documentId}?status=draft` }, 'full')
    return { documentId, id: Number(draft.at('data', 'id')) }
  }

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
    visible = await createPage({ title: 'v', approved: true })
    hidden = await createPage({ title: 'h', approved: false })
    draftOnly = await createPage({ title: 'd', approved: true }, '?status=draft')
    const other = await createPage({ title: 'o', approved: true })
    ids.set('OTHER', other.documentId)
    for (const [word, path] of [
      ['SHELF', '/shelfs'],
      ['ROOM', '/rooms'],
    ] as const)
      ids.set(word, await create(path, { pages: [visible.documentId, hidden.documentId] }))
  })
  after(() => running?.close())

  /** What the caller can observe, with the ids of the request replaced. */
  const observed = async (sent: Sent, named: Named, as: Caller) => {
    const { status, text, headers } = await send(sent, as)
    const anonymous = text
      .replaceAll(named.documentId, 'ID')
      .replaceAll(new RegExp(`\\bid ${named.id}\\b`, 'g'), 'ID')
      .replaceAll(/"updatedAt":"[^"]*"/g, '')
    return { status, text: anonymous, type: headers['content-type'] }
  }
  const assertSame = async (way: Way, one: Named, as: Caller) => {
    const sent = way(one)
    assert.deepEqual(
      await observed(sent, one, as),
      await observed(way(MISSING), MISSING, as),
      `${as}: ${JSON.stringify(sent)}`,
    )
  }
  /** The times of the lists are left out: an operation on them that has no effect still updates them. */
  const content = async () =>
    (await send({ method: 'GET', path: '/pages?populate=*&status=draft&locale=*' }, 'full')).text.replaceAll(
      /"updatedAt":"[^"]*"/g,
      '',
    )

  for (const [name, ways, callers] of [
    ['reading', READING_WAYS, ['ruled']],
    ['writing', WRITING_WAYS, ['ruled', 'blind']],
    ['writing in a batch', WRITING_WAYS.map(inBatch), ['ruled', 'blind']],
    ['referring in a relation', RELATION_WAYS, ['ruled']],
    ['referring in a relation in a batch', RELATION_WAYS.map(inBatch), ['ruled']],
  ] as const)
    it(`${name}: a hidden document gives the response of a missing one`, async () => {
      const unchanged = await content()
      for (const as of callers) for (const way of ways) await assertSame(way, hidden, as)
      assert.equal(await content(), unchanged)
    })

  it('the same requests succeed for a visible document', async () => {
    for (const way of [...RELATION_WAYS, ...WRITING_WAYS.slice(0, 3), ...READING_WAYS.slice(0, 4)]) {
      // A list cannot be replaced as long as it contains a document that the caller may not change.
      for (const path of ['/shelfs/SHELF', '/rooms/ROOM'])
        await send(put(path, { pages: [visible.documentId] }), 'full')
      const { status, text } = await send(way(visible), 'ruled')
      assert.ok(status < 300, `${JSON.stringify(way(visible))} ${text}`)
    }
  })

  it('a document that the caller may read but not change is refused with 403', async () => {
    const forbidden = await createPage({ title: 'readable', approved: true })
    for (const way of WRITING_WAYS.slice(0, 2))
      assert.equal((await send(way(forbidden), 'published')).status, 403)
  })

  it('without readDrafts a document that has only a draft cannot be referred to', async () => {
    for (const way of [...RELATION_WAYS, ...RELATION_WAYS.map(inBatch)])
      await assertSame(way, draftOnly, 'published')
    for (const way of RELATION_WAYS.slice(0, 5)) {
      assert.equal((await send(way(draftOnly), 'ruled')).status, 200)
      assert.equal((await send(way(visible), 'published')).status, 200)
    }
  })

  it('an upload cannot be attached to a hidden document', async () => {
    const attach = async (refId: string, as: Caller) => {
      const form = new FormData()
      form.set('files', new Blob(['text'], { type: 'text/plain' }), 'note.txt')
      form.set('ref', PAGE)
      form.set('refId', refId)
      form.set('field', 'cover')
      const headers = { authorization: `Bearer ${tokenOf(as)}` }
      const response = await fetch(`${running.base}/api/upload`, { method: 'POST', body: form, headers })
      return { status: response.status, text: (await response.text()).replaceAll(refId, 'ID') }
    }
    for (const as of ['ruled', 'blind'] as const)
      for (const key of ['documentId', 'id'] as const)
        assert.deepEqual(await attach(String(hidden[key]), as), await attach(String(MISSING[key]), as))
    assert.equal((await attach(visible.documentId, 'ruled')).status, 201)
  })

  it('files', async () => {
    const upload = async (query: string, info: unknown, as: Caller, text: string | null = 'text') => {
      const form = new FormData()
      form.set('fileInfo', JSON.stringify(info))
      if (text !== null) form.set('files', new Blob([text], { type: 'text/plain' }), 'note.txt')
      const headers = { authorization: `Bearer ${tokenOf(as)}` }
      const url = `${running.base}/api/upload${query}`
      const response = await fetch(url, { method: 'POST', body: form, headers })
      return { status: response.status, text: await response.text() }
    }
    const stored = async (caption: string): Promise<Named> =>
      JSON.parse((await upload('', { caption }, 'full')).text)[0]
    const [closed, open] = [await stored('closed'), await stored('open')]
    for (const key of ['documentId', 'id'] as const)
      for (const as of ['ruled', 'blind'] as const) {
        for (const text of ['other', null])
          assert.deepEqual(
            await upload(`?id=${closed[key]}`, { caption: 'open' }, as, text),
            await upload(`?id=${MISSING[key]}`, { caption: 'open' }, as, text),
          )
        for (const method of ['GET', 'DELETE'] as const)
          await assertSame((one) => ({ method, path: `/upload/files/${one[key]}` }), closed, as)
      }
    for (const key of ['documentId', 'id'] as const)
      await assertSame((one) => put('/shelfs/SHELF', { cover: one[key] }), closed, 'ruled')
    assert.equal((await send(put('/shelfs/SHELF', { cover: open.id }), 'ruled')).status, 200)
    assert.equal((await upload(`?id=${open.id}`, { name: 'new' }, 'ruled', null)).status, 200)
  })

  it('users', async () => {
    const register = async (username: string): Promise<Named> => {
      const body = { username, email: `${username}@example.test`, password: `${username} Passw0rd` }
      const { text } = await send({ method: 'POST', path: '/auth/local/register', body }, 'full')
      return JSON.parse(text).user
    }
    const [closed, open] = [await register('closed'), await register('open')]
    const bodies = [{}, { username: 'open' }, { username: 'renamed' }, { password: 'x' }, { nothing: 1 }]
    for (const as of ['ruled', 'blind'] as const) {
      for (const body of bodies)
        await assertSame(({ id }) => ({ method: 'PUT', path: `/users/${id}`, body }), closed, as)
      for (const method of ['GET', 'DELETE'] as const)
        await assertSame(({ id }) => ({ method, path: `/users/${id}` }), closed, as)
    }
    for (const as of ['ruled', 'blind'] as const)
      assert.equal((await send({ method: 'PUT', path: `/users/${open.id}`, body: {} }, as)).status, 200)
    assert.equal((await send({ method: 'GET', path: `/users/${closed.id}` }, 'full')).status, 200)
  })

  it('a hidden document of a single type', async () => {
    const ways: readonly Sent[] = [
      { method: 'GET', path: '/home' },
      { method: 'GET', path: '/home?status=draft' },
      { method: 'DELETE', path: '/home' },
      { method: 'DELETE', path: '/home', headers: { 'if-match': '*' } },
      ...['publish', 'unpublish', 'discard'].map(
        (action): Sent => ({ method: 'POST', path: `/home/actions/${action}` }),
      ),
    ]
    const responses = async () => {
      const all = []
      for (const way of ways) all.push(await observed(way, MISSING, 'ruled'))
      return all
    }
    assert.equal((await send(put('/home', { title: 'hidden', approved: false }), 'full')).status, 200)
    const whileHidden = await responses()
    assert.equal((await send(put('/home', { title: 'new' }), 'ruled')).status, 404)
    assert.equal((await send({ method: 'GET', path: '/home' }, 'full')).at('data', 'title'), 'hidden')
    assert.equal((await send({ method: 'DELETE', path: '/home' }, 'full')).status, 204)
    assert.deepEqual(whileHidden, await responses())
  })
})
