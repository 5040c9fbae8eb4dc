/** `related` of a file lists the documents it is attached to, as far as the caller may read them. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

const FULL = 'full-token-0123456789abcdef0123456789abcdef'
const PUBLISHED = 'published-only-token-0123456789abcdef0123456789'

const localized = { pluginOptions: { i18n: { localized: true } } }

const type = (name: string, schema: object): [string, unknown] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  { kind: 'collectionType', info: { singularName: name, displayName: name }, ...schema },
]

const media = { type: 'media' }

const PROJECT = new Map<string, unknown>([
  type('page', {
    ...localized,
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string', ...localized },
      cover: media,
      gallery: { type: 'media', multiple: true },
      proof: { ...media, private: true },
      block: { type: 'component', component: 'part.picture' },
      secret: { type: 'component', component: 'part.hidden', private: true },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
    },
  }),
  type('author', { attributes: { name: { type: 'string' }, portrait: media } }),
  type('ledger', { attributes: { title: { type: 'string' }, scan: media } }),
  ['src/components/part/picture.json', { info: { displayName: 'Picture' }, attributes: { image: media } }],
  ['src/components/part/hidden.json', { info: { displayName: 'Hidden' }, attributes: { image: media } }],
  ['config/locales.json', { default: 'en', locales: ['en', 'fr'] }],
  [
    'config/tokens.json',
    {
      full: { type: 'full-access', token: FULL },
      published: {
        type: 'custom',
        token: PUBLISHED,
        permissions: {
          'api::page.page': ['find', 'findOne', '-readDrafts'],
          'plugin::upload.file': ['find', 'findOne'],
        },
      },
    },
  ],
  [
    'config/roles.json',
    {
      public: {
        'api::page.page': ['find', 'findOne'],
        'api::author.author': ['find'],
        'plugin::upload.file': ['find', 'findOne'],
      },
    },
  ],
])

type Shown = { readonly title?: string; readonly name?: string; readonly __type: string }

onEachEngine((engine) => {
  let running: TestServer
  let file: { id: number }
  let other: { id: number }
  let page: string

  const send = async (method: string, path: string, body?: unknown, token = true) => {
    const response = await fetch(running.base + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${FULL}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const create = async (path: string, data: object): Promise<string> => {
    const { status, body } = await send('POST', `/api/${path}`, { data })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.documentId
  }
  const upload = async (name: string) => {
    const form = new FormData()
    form.append('files', new Blob(['text']), name)
    const headers = { authorization: `Bearer ${FULL}` }
    const response = await fetch(`${running.base}/api/upload`, { method: 'POST', headers, body: form })
    return JSON.parse(await response.text())[0]
  }
  const names = (shown: readonly Shown[]) => shown.map(({ title, name }) => title ?? name)

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
    file = await upload('shown.txt')
    other = await upload('other.txt')
    const author = await create('authors', { name: 'Nora', portrait: file.id })
    page = await create('pages', { title: 'First', cover: file.id, gallery: [file.id, other.id], author })
    await send('PUT', `/api/pages/${page}?locale=fr`, { data: { title: 'Premier', cover: file.id } })
    await create('pages', { title: 'Inside', block: { image: file.id } })
    await create('pages', { title: 'Private', proof: file.id })
    await create('pages', { title: 'Hidden', secret: { image: file.id } })
    await create('pages?status=draft', { title: 'Draft', cover: file.id })
    await create('ledgers', { title: 'Ledger', scan: file.id })
  })
  after(() => running?.close())

  it('a populated file lists each related document once, in the locale and status of its parent', async () => {
    const read = (query: string) =>
      send('GET', `/api/pages/${page}?populate[cover][populate]=related${query}`)
    const { status, body } = await read('')
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(names(body.data.cover.related), ['Nora', 'Ledger', 'First', 'Inside'])
    assert.deepEqual(
      body.data.cover.related.map(({ __type }: Shown) => __type),
      ['api::author.author', 'api::ledger.ledger', 'api::page.page', 'api::page.page'],
    )
    assert.deepEqual(names((await read('&locale=fr')).body.data.cover.related), ['Nora', 'Ledger', 'Premier'])
    assert.ok(names((await read('&status=draft')).body.data.cover.related).includes('Draft'))
  })

  it('a list of files and a single file list related documents in every locale', async () => {
    const list = await send('GET', '/api/upload/files?populate=related&sort=id')
    assert.deepEqual(
      list.body.map(({ related }: { related: Shown[] }) => names(related)),
      [
        ['Nora', 'Ledger', 'First', 'Premier', 'Inside'],
        ['First', 'Premier'],
      ],
    )
    for (const populate of [
      'populate=related',
      'populate=*',
      'populate[0]=related',
      'populate[related]=true',
    ]) {
      const { status, body } = await send('GET', `/api/upload/files/${file.id}?${populate}`)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(names(body.related), names(list.body[0].related))
    }
  })

  it('related documents that the caller may not read are omitted', async () => {
    for (const path of [
      `/api/pages/${page}?populate=cover.related`,
      `/api/upload/files/${file.id}?populate=*`,
    ]) {
      const { status, body } = await send('GET', path, undefined, false)
      assert.equal(status, 200)
      const { related } = body.data?.cover ?? body
      assert.ok(names(related).includes('Nora'))
      for (const name of ['Ledger', 'Private', 'Hidden', 'Draft']) assert.ok(!names(related).includes(name))
    }
  })

  it('no name under which a file can be populated shows drafts to callers who may not read them', async () => {
    const headers = { authorization: `Bearer ${PUBLISHED}` }
    for (const name of ['related', '__usedBy', '*'])
      for (const path of [
        `/api/pages?populate[cover][populate]=${name}`,
        `/api/pages/${page}?populate=cover.${name}`,
        `/api/upload/files?populate=${name}`,
        `/api/upload/files/page?populate=${name}`,
        `/api/upload/files/${file.id}?populate=${name}`,
        `/api/upload/files/${file.id}?status=draft&populate=${name}`,
        `/api/upload/files/${file.id}/used-by`,
      ]) {
        const text = await (await fetch(running.base + path, { headers })).text()
        assert.ok(!text.includes('"Draft"'), `${path}: ${text}`)
        assert.ok(!text.includes('"publishedAt":null'), `${path}: ${text}`)
      }
  })

  it('the usage of a file lists published documents for callers who may not read drafts', async () => {
    const usedBy = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${running.base}/api/upload/files/${file.id}/used-by`, { headers })
      const { data } = JSON.parse(await response.text())
      return names(data).toSorted()
    }
    assert.deepEqual(await usedBy(PUBLISHED), ['First', 'Inside', 'Premier'])
    const everything = await usedBy(FULL)
    for (const name of ['Draft', 'First', 'Ledger', 'Nora']) assert.ok(everything.includes(name), name)
  })

  it('related documents can be selected by content-type and populated further', async () => {
    const chosen = await send(
      'GET',
      `/api/upload/files/${file.id}?populate[related][on][api::page.page][fields]=title&populate[related][on][api::page.page][populate]=author`,
    )
    assert.equal(chosen.status, 200, JSON.stringify(chosen.body))
    assert.deepEqual(
      chosen.body.related.map(({ title, author }: { title: string; author: { name: string } | null }) => [
        title,
        author?.name,
      ]),
      [
        ['First', 'Nora'],
        ['Premier', undefined],
        ['Inside', undefined],
      ],
    )
    const nested = await send('GET', `/api/pages/${page}?populate=cover.related.cover.related`)
    assert.equal(nested.body.data.cover.related[2].cover.related[2].title, 'First')
  })

  it('reading a single file validates parameters like a list', async () => {
    const path = `/api/upload/files/${file.id}`
    for (const query of [
      'fields=zzz',
      'fields=folderPath',
      'populate=folder',
      'filters[zzz]=1',
      '_q[]=x',
      'sort=related',
    ])
      assert.equal((await send('GET', `${path}?${query}`)).status, 400, query)
    assert.equal((await send('GET', `${path}?filters[name]=other.txt`)).status, 404)
    const { body } = await send('GET', `${path}?fields=name`)
    assert.deepEqual([body.name, body.mime], ['shown.txt', 'text/plain'])
    assert.equal((await send('GET', '/api/upload/files?filters[related][title]=First')).status, 400)
  })

  it('a cached response with related documents is invalidated when one of them changes', async () => {
    const path = `/api/pages/${page}?populate=cover.related&fields=title`
    const ledgers = async () =>
      names((await send('GET', path)).body.data.cover.related).filter((name) => name === 'Ledger again')
    assert.deepEqual(await ledgers(), [])
    await create('ledgers', { title: 'Ledger again', scan: file.id })
    assert.deepEqual(await ledgers(), ['Ledger again'])
  })
})
