/** A repeated request with an Idempotency-Key is checked again, and belongs to its caller. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { giveRole, type Method, request, signUp, type TestUser } from '../access/client.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

const FULL = 'full-token-of-the-idempotency-tests-0123456789'
const NOTE = 'api::note.note'

const PROJECT = new Map<string, unknown>([
  [
    'src/api/note/content-types/note/schema.json',
    {
      kind: 'collectionType',
      info: { singularName: 'note', pluralName: 'notes', displayName: 'note' },
      options: { draftAndPublish: true },
      attributes: { title: { type: 'string' }, price: { type: 'integer' }, open: { type: 'boolean' } },
    },
  ],
  ['config/roles.json', { public: { [NOTE]: ['create', 'find'] } }],
  ['config/tokens.json', { full: { type: 'full-access', token: FULL } }],
])

onEachEngine((engine) => {
  let running: TestServer
  let writer: TestUser
  let admin: string
  let keys = 0
  const newKey = () => `key-${++keys}`

  before(async () => {
    running = await serve(PROJECT, await engine.freshUrl())
    admin = (await running.server.access.tokens.create({ name: 'the admin', kind: 'admin' })).secret
    const created = await send('POST', '/admin/api/roles', admin, {
      data: { name: 'Writer', type: 'writer' },
    })
    assert.equal(created.status, 201, created.text)
    writer = await signUp(running.server, 'writer')
    await giveRole(running.server, writer, 'writer', FULL)
  })
  after(() => running?.close())

  const send = (method: Method, url: string, as?: string, body?: unknown, key?: string) =>
    request(running.server, method, url, {
      as,
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    })
  const permit = async (...permissions: unknown[]) => {
    const body = { data: { permissions: { [NOTE]: permissions } } }
    const { status, text } = await send('PUT', '/admin/api/roles/writer', admin, body)
    assert.equal(status, 200, text)
  }
  const total = async (title: string) =>
    (await send('GET', `/api/notes?filters[title]=${title}&status=draft`, FULL)).at(
      'meta',
      'pagination',
      'total',
    )

  /** Each way sends the same request with a key, alone or in a batch. */
  const ways = {
    create: (data: unknown, key: string, as?: string) => send('POST', '/api/notes', as, { data }, key),
    batch: (data: unknown, key: string, as?: string) => {
      const operations = [{ method: 'POST', path: '/api/notes', body: { data } }]
      return send('POST', '/api/batch', as, { operations }, key)
    },
  }
  const idIn = (way: string, { at }: Awaited<ReturnType<typeof send>>) =>
    String(way === 'batch' ? at('data', 0, 'body', 'data', 'documentId') : at('data', 'documentId'))

  for (const [way, post] of Object.entries(ways)) {
    it(`${way}: is refused when the permission was revoked`, async () => {
      await permit('create', 'find')
      const [data, key] = [{ title: newKey() }, newKey()]
      const first = await post(data, key, writer.jwt)
      assert.ok(first.status < 300, first.text)
      assert.equal((await post(data, key, writer.jwt)).text, first.text)
      await permit('find')
      const refused = await post(data, key, writer.jwt)
      assert.equal(refused.status, 403, refused.text)
      assert.ok(!refused.text.includes(idIn(way, first)))
      await permit('create', 'find')
      assert.equal((await post(data, key, writer.jwt)).text, first.text)
    })

    it(`${way}: is not found when the document was deleted`, async () => {
      await permit('create', 'find')
      const [data, key] = [{ title: newKey() }, newKey()]
      const first = await post(data, key, writer.jwt)
      await send('DELETE', `/api/notes/${idIn(way, first)}`, FULL)
      assert.equal((await post(data, key, writer.jwt)).status, 404)
      assert.equal(await total(data.title), 0)
    })

    it(`${way}: is not found when the caller may no longer see the document`, async () => {
      await permit('create', 'update', { action: 'find', filters: { open: true } })
      const [data, key] = [{ title: newKey(), open: true }, newKey()]
      const first = await post(data, key, writer.jwt)
      assert.equal((await post(data, key, writer.jwt)).text, first.text)
      await send('PUT', `/api/notes/${idIn(way, first)}`, FULL, { data: { open: false } })
      assert.equal((await post(data, key, writer.jwt)).status, 404)
      assert.equal(await total(data.title), 1)
    })

    it(`${way}: is repeated for callers who could never read the document`, async () => {
      await permit('create', { action: 'find', filters: { open: true } })
      const [data, key] = [{ title: newKey() }, newKey()]
      const first = await post(data, key, writer.jwt)
      assert.equal((await post(data, key, writer.jwt)).text, first.text)
    })

    it(`${way}: shows only what the caller may read now`, async () => {
      await permit('create', 'find')
      const [data, key] = [{ title: newKey(), price: 4711 }, newKey()]
      const first = await post(data, key, writer.jwt)
      assert.match(first.text, /4711/)
      await permit('create', { action: 'find', fields: ['title'] })
      const repeated = await post(data, key, writer.jwt)
      assert.equal(repeated.status, first.status, repeated.text)
      assert.equal(repeated.headers['idempotency-replayed'], 'true')
      assert.equal(idIn(way, repeated), idIn(way, first))
      assert.doesNotMatch(repeated.text, /4711/)
      assert.equal(await total(data.title), 1)
    })

    it(`${way}: anonymous callers share a key only for the same request`, async () => {
      const key = newKey()
      const [mine, yours] = [{ title: newKey() }, { title: newKey() }]
      const first = await post(mine, key)
      const other = await post(yours, key)
      assert.ok(first.status < 300 && other.status < 300, other.text)
      assert.notEqual(idIn(way, other), idIn(way, first))
      assert.equal((await post(mine, key)).text, first.text)
      assert.equal(await total(mine.title), 1)
    })

    it(`${way}: another caller does not get the response`, async () => {
      await permit('create', 'find')
      const [data, key] = [{ title: newKey() }, newKey()]
      const first = await post(data, key, writer.jwt)
      for (const as of [undefined, FULL])
        assert.notEqual(idIn(way, await post(data, key, as)), idIn(way, first))
    })
  }

  it('an action is checked again too', async () => {
    await permit('create', 'update', 'find')
    const title = newKey()
    const note = await send('POST', '/api/notes?status=draft', writer.jwt, { data: { title } })
    const url = `/api/notes/${note.at('data', 'documentId')}/actions/publish`
    const key = newKey()
    const first = await send('POST', url, writer.jwt, undefined, key)
    assert.equal(first.status, 200, first.text)
    assert.equal((await send('POST', url, writer.jwt, undefined, key)).text, first.text)
    await permit('create', 'update', 'find', '-publish')
    assert.equal((await send('POST', url, writer.jwt, undefined, key)).status, 403)
  })

  it('a batch that deletes what it created can be repeated', async () => {
    await permit('create', 'update', 'delete', 'find')
    const title = newKey()
    const operations = [
      { id: 'note', method: 'POST', path: '/api/notes', body: { data: { title } } },
      { method: 'DELETE', path: '/api/notes/{note.documentId}' },
    ]
    const key = newKey()
    const first = await send('POST', '/api/batch', writer.jwt, { operations }, key)
    assert.equal(first.status, 200, first.text)
    assert.equal((await send('POST', '/api/batch', writer.jwt, { operations }, key)).text, first.text)
  })
})
