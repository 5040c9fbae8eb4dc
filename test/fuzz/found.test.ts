/** Minimal requests for defects that the fuzzer found, on both engines. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

const chain = (name: string, times: number) => Array(times).fill(name).join('.')

onEachEngine((engine) => {
  let api: ReferenceServer
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl(), { cache: { enabled: false } })
    const top = await api.send('POST', '/api/restaurants', { data: { name: 'Roma', phone: '+39 12345' } })
    const { documentId } = top.json().data
    await api.send('PUT', `/api/restaurants/${documentId}`, { data: { headquarters: documentId } })
  })
  after(() => api?.close())

  /** The status of a GET of restaurants. */
  const statusOf = async (query: string) => (await api.send('GET', `/api/restaurants?${query}`)).status

  it('populates as many levels as a path can name', async () => {
    const response = await api.send('GET', `/api/restaurants?populate=${chain('headquarters', 128)}`)
    assert.equal(response.status, 200)
    let [document]: unknown[] = Object(response.json().data)
    let levels = -1
    for (; document; levels++) document = Object(document).headquarters
    assert.equal(levels, 128)
    assert.equal(await statusOf(`populate=${chain('branches', 60)}`), 200)
    assert.equal(await statusOf(`populate${'[branches][populate]'.repeat(60)}=*`), 200)
  })

  it('filters and sorts through as many relations as can be nested', async () => {
    assert.equal(await statusOf(`filters${'[headquarters]'.repeat(126)}[name]=Roma`), 200)
    assert.equal(await statusOf(`filters[$not]${'[branches]'.repeat(60)}[stars][$gt]=1`), 200)
    assert.equal(await statusOf(`sort=${chain('headquarters', 60)}.name`), 200)
  })

  it('refuses longer paths, however long they are', async () => {
    for (const times of [129, 200, 1000]) {
      assert.equal(await statusOf(`populate=${chain('branches', times)}`), 400, `populate ${times}`)
      assert.equal(await statusOf(`sort=${chain('branches', times)}.name`), 400, `sort ${times}`)
    }
    const path = `/api/restaurants?populate=${chain('a', 300_000)}`
    const { status } = await api.send('POST', '/api/batch', {
      operations: [{ method: 'POST', path, body: { data: { name: 'Deep' } } }],
    })
    assert.equal(status, 400)
  })

  it('lists the methods of a path that does not belong to a content-type', async () => {
    const batch = await api.send('GET', '/api/batch')
    assert.deepEqual([batch.status, batch.headers.allow], [405, 'POST'])
    const locales = await api.send('DELETE', '/api/i18n/locales')
    assert.deepEqual([locales.status, locales.headers.allow], [405, 'GET, HEAD'])
  })

  it('treats a body with another or an invalid content type as missing', async () => {
    const post = async (type: string, path = '/api/restaurants') => {
      const body = '{"data":{"name":"Odd"}}'
      const { status, text } = await api.send('POST', path, body, { 'content-type': type })
      return [status, text]
    }
    const [status, text] = await post('text/plain')
    assert.equal(status, 400)
    assert.match(String(text), /sent with the content type application\/json/)
    for (const type of ['garbage', '', '/', ';', 'application/json, text/plain', 'application/json/x'])
      assert.deepEqual(await post(type), [status, text], type)
    assert.deepEqual(await post('garbage', '/api/batch'), await post('text/plain', '/api/batch'))
    assert.deepEqual(await post('garbage', '/api/upload'), await post('text/plain', '/api/upload'))
    const garbage = { 'content-type': 'garbage' }
    const removed = await api.send('DELETE', '/api/restaurants/none', undefined, garbage)
    assert.equal(removed.status, 204)
  })

  it('finds nothing for a name that contains NUL', async () => {
    for (const path of ['/api/upload/files/%00', '/api/restaurants/%00', '/api/users/%00'])
      for (const method of ['GET', 'DELETE'] as const) {
        const { status } = await api.send(method, path)
        assert.ok(status === 404 || status === 204, `${method} ${path} returned ${status}`)
      }
  })

  it('names a value that is taken before a document that cannot be related', async () => {
    const create = async (path: string, name: string): Promise<string> =>
      (await api.send('POST', path, { data: { name } })).json().data.documentId
    await create('/api/categories', 'Taken')
    const other = await create('/api/categories', 'Other')
    const french = await create('/api/restaurants?locale=fr', 'Chez nous')
    const update = (data: object) => api.send('PUT', `/api/categories/${other}`, { data })
    const related = await update({ name: 'Free', restaurants: [french] })
    assert.match(
      related.json().error.message,
      /^restaurants refers to .+ which has no version in the locale en$/,
    )
    const both = await update({ name: 'Taken', restaurants: [french] })
    assert.deepEqual(
      [both.status, both.json().error.message],
      [400, 'name must be unique: another document has this value'],
    )
    const { data } = (await api.send('GET', `/api/categories/${other}`)).json()
    assert.equal(data.name, 'Other')
  })

  it('writes to a table whose name belonged to another table before', async () => {
    const { secret } = await api.server.access.tokens.create({ name: 'admin', kind: 'admin' })
    const admin = { authorization: `Bearer ${secret}` }
    const schema = (name: string, type: string) => ({
      data: {
        kind: 'collectionType',
        collectionName: 'reused',
        info: { singularName: name, pluralName: `${name}s`, displayName: name },
        attributes: { title: { type } },
      },
    })
    for (const [name, type, values] of [
      ['former', 'decimal', [1, 2, 3, 4]],
      ['latter', 'string', ['Roma', '1e3', 'Roma', '1e3']],
    ] as const) {
      const made = await api.send('POST', '/admin/api/content-types', schema(name, type), admin)
      assert.equal(made.status, 201)
      for (const title of values) {
        const created = await api.send('POST', `/api/${name}s`, { data: { title } })
        assert.equal(created.status, 201, created.text)
        const path = `/api/${name}s/${created.json().data.documentId}`
        const updated = await api.send('PUT', path, { data: { title } })
        assert.equal(updated.json().data.title, title)
      }
      const deleted = await api.send(
        'DELETE',
        `/admin/api/content-types/api::${name}.${name}?confirm=true`,
        undefined,
        admin,
      )
      assert.equal(deleted.status, 204)
    }
  })
})
