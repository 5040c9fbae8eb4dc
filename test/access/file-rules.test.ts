/** Restrictions of permissions on files, on every route that reads or writes them. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { type Method, request } from './client.ts'

const FILE = 'plugin::upload.file'
const PERMISSIONS = {
  captions: ['find', 'findOne', 'upload', { action: 'update', fields: ['caption'] }],
  contents: ['find', 'upload', { action: 'update', fields: ['url', 'name'] }],
  texts: [
    'find',
    { action: 'upload', fields: ['caption'], filters: { mime: 'text/plain' } },
    { action: 'update', filters: { caption: 'open' } },
  ],
  uploader: [{ action: 'upload', fields: ['caption'], filters: { mime: 'text/plain' } }],
  names: [
    { action: 'find', fields: ['name'] },
    { action: 'findOne', fields: ['name'] },
    'upload',
    'update',
    'destroy',
  ],
}
type Caller = keyof typeof PERMISSIONS | 'full' | 'writer' | 'public'
const CALLERS = ['captions', 'contents', 'texts', 'uploader', 'names'] as const
const tokenOf = (caller: Caller) => `token-of-the-file-rules-${caller}-0123456789`

const PROJECT = new Map<string, unknown>([
  [
    'src/api/note/content-types/note/schema.json',
    {
      kind: 'collectionType',
      info: { singularName: 'note', pluralName: 'notes', displayName: 'note' },
      attributes: {
        cover: { type: 'media', multiple: false },
        images: { type: 'media', multiple: true },
        card: { type: 'component', component: 'shared.card' },
      },
    },
  ],
  [
    'src/components/shared/card.json',
    { info: { displayName: 'card' }, attributes: { image: { type: 'media', multiple: false } } },
  ],
  ['config/roles.json', { public: { 'api::note.note': ['find', 'findOne', 'create', 'update'] } }],
  [
    'config/tokens.json',
    {
      full: { type: 'full-access', token: tokenOf('full') },
      writer: {
        type: 'custom',
        token: tokenOf('writer'),
        permissions: { [FILE]: ['upload'], 'api::note.note': ['find', 'findOne', 'create', 'update'] },
      },
      ...Object.fromEntries(
        CALLERS.map((caller) => [
          caller,
          {
            type: 'custom',
            token: tokenOf(caller),
            permissions: { [FILE]: PERMISSIONS[caller], 'api::note.note': ['find', 'findOne'] },
          },
        ]),
      ),
    },
  ],
])

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
  })
  after(() => running?.close())

  const upload = async (
    as: Caller,
    query: string,
    info: unknown,
    file: string | null = 'text',
    mime = 'text/plain',
  ) => {
    const form = new FormData()
    if (info !== null) form.set('fileInfo', JSON.stringify(info))
    if (file !== null)
      form.set('files', new Blob([file], { type: mime }), mime === 'text/plain' ? 'sent.txt' : 'sent.json')
    const headers = { authorization: `Bearer ${tokenOf(as)}` }
    const response = await fetch(`${running.base}/api/upload${query}`, {
      method: 'POST',
      body: form,
      headers,
    })
    return { status: response.status, text: await response.text() }
  }
  const stored = async (as: Caller = 'full'): Promise<string> => {
    const { status, text } = await upload(as, '', { caption: 'kept' })
    assert.equal(status, 201, text)
    return String(JSON.parse(text)[0].documentId)
  }
  const send = (method: Method, path: string, as: Caller, data?: unknown) =>
    request(running.server, method, `/api${path}`, {
      as: as === 'public' ? undefined : tokenOf(as),
      ...(data !== undefined && { body: { data } }),
    })
  const record = async (id: string) => (await send('GET', `/upload/files/${id}`, 'full')).text

  it('only the fields of the update permission can be changed', async () => {
    const id = await stored()
    const unchanged = await record(id)
    for (const info of [
      { name: 'mine.txt' },
      { alternativeText: 'x' },
      { folder: '/x' },
      { caption: 'x', name: 'y' },
    ])
      assert.equal((await upload('captions', `?id=${id}`, info, null)).status, 400, JSON.stringify(info))
    assert.equal((await upload('captions', `?id=${id}`, null)).status, 403)
    assert.equal((await upload('captions', `?id=${id}`, { caption: 'x' })).status, 403)
    assert.equal(await record(id), unchanged)
    assert.equal((await upload('captions', `?id=${id}`, { caption: 'new' }, null)).status, 200)
  })

  it('callers who may not find files cannot read them by guessing their ids in a document', async () => {
    const idOf = async (documentId: string): Promise<number> => JSON.parse(await record(documentId)).id
    const [foreign, used, own] = [await stored(), await stored(), await stored('writer')]
    const [foreignId, usedId, ownId] = [await idOf(foreign), await idOf(used), await idOf(own)]
    const { at } = await send('POST', '/notes', 'full', { images: [used] })
    const note = `/notes/${at('data', 'documentId')}`
    const missing = 987_654_321
    for (const as of ['writer', 'public'] as const)
      for (const data of [
        (id: unknown) => ({ cover: id }),
        (id: unknown) => ({ images: [id] }),
        (id: unknown) => ({ card: { image: id } }),
      ]) {
        const populated = '?populate[0]=cover&populate[1]=images&populate[2]=card.image'
        for (const [method, path] of [['POST', '/notes'] as const, ['PUT', note] as const]) {
          const guessed = await send(method, path + populated, as, data(foreignId))
          const wrong = await send(method, path + populated, as, data(missing))
          assert.equal(guessed.status, 400, guessed.text)
          assert.equal(guessed.text.replaceAll(String(foreignId), String(missing)), wrong.text)
        }
        // A documentId cannot be guessed, and what the document uses or the caller has uploaded is known anyway.
        const known = [foreign, usedId, ...(as === 'writer' ? [ownId] : [])]
        for (const id of known) {
          await send('PUT', note, 'full', { cover: null, images: [used], card: null })
          const written = await send('PUT', note, as, data(id))
          assert.equal(written.status, 200, `${as} ${JSON.stringify(data(id))} ${written.text}`)
        }
      }
    assert.equal((await send('POST', '/notes', 'full', { cover: foreignId })).status, 201)
  })

  it('contents can be replaced only with permission for url and name', async () => {
    const id = await stored()
    assert.equal((await upload('contents', `?id=${id}`, { caption: 'x' })).status, 400)
    assert.match(await record(id), /"caption":"kept"/)
    assert.equal((await upload('contents', `?id=${id}`, null)).status, 200)
  })

  it('uploaders may change their own files', async () => {
    const id = await stored('captions')
    assert.equal((await upload('captions', `?id=${id}`, { name: 'mine.txt' }, null)).status, 200)
    assert.equal((await upload('captions', `?id=${id}`, null)).status, 200)
  })

  it('restrictions on upload apply to new files and to their changes by the uploader', async () => {
    assert.equal((await upload('uploader', '', { name: 'x' })).status, 400)
    assert.equal((await upload('uploader', '', null, '{}', 'application/json')).status, 403)
    const id = await stored('uploader')
    assert.equal((await upload('uploader', `?id=${id}`, { name: 'x' }, null)).status, 400)
    const unchanged = await record(id)
    assert.equal((await upload('uploader', `?id=${id}`, null, '{}', 'application/json')).status, 403)
    assert.equal(await record(id), unchanged)
    assert.equal((await upload('uploader', `?id=${id}`, { caption: 'new' }, null)).status, 200)
  })

  it('a restriction on update holds before and after the change', async () => {
    const id = await stored()
    assert.equal((await upload('texts', `?id=${id}`, { caption: 'open' }, null)).status, 403)
    assert.equal((await upload('full', `?id=${id}`, { caption: 'open' }, null)).status, 200)
    assert.equal((await upload('texts', `?id=${id}`, { caption: 'closed' }, null)).status, 403)
    assert.equal((await upload('texts', `?id=${id}`, { alternativeText: 'x' }, null)).status, 200)
    assert.match(await record(id), /"caption":"open"/)
  })

  it('every response has only the fields that can be read', async () => {
    const id = await stored()
    const note = await request(running.server, 'POST', '/api/notes', {
      as: tokenOf('full'),
      body: { data: { cover: id } },
    })
    assert.equal(note.status, 201, note.text)
    const responses = [
      (await send('GET', '/upload/files', 'names')).text,
      (await send('GET', `/upload/files/${id}`, 'names')).text,
      (await send('GET', '/notes?populate=cover', 'names')).text,
      (await upload('names', '', { caption: 'kept' })).text,
      (await upload('names', `?id=${id}`, { caption: 'kept' }, null)).text,
      (await upload('names', `?id=${id}`, null)).text,
      (await send('DELETE', `/upload/files/${id}`, 'names')).text,
    ]
    for (const [index, text] of responses.entries()) {
      assert.match(text, /"name":"sent.txt"/, `${index}: ${text}`)
      assert.doesNotMatch(text, /"(url|caption|hash|mime|size)":/, `${index}: ${text}`)
    }
    assert.equal((await send('GET', '/upload/files?filters[caption]=kept', 'names')).status, 400)
    assert.equal((await send('GET', '/upload/files?folder=/', 'names')).status, 400)
    assert.equal((await send('GET', '/upload/folders', 'names')).status, 403)
    assert.equal((await send('GET', '/upload/folders', 'captions')).status, 200)
  })
})
