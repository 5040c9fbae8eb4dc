import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Client, createClient, OctavoError } from '../../src/client/index.ts'
import { fileBytes, loadRecording, PROJECT } from '../reference/recording.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import type { Schema } from './schema.ts'

const { tokens } = loadRecording()

onEachEngine((engine) => {
  describe('the client', () => {
    let running: TestServer
    let client: Client<Schema>
    before(async () => {
      running = await serve(PROJECT, await engine.freshUrl())
      client = createClient<Schema>({ url: `${running.base}/`, token: tokens.full })
    })
    after(() => running.close())

    it('creates, reads, changes and deletes a document', async () => {
      const created = await client.create('dishes', { name: 'Soup', price: 4.5, course: 'starter' })
      assert.deepEqual([created.name, created.price, 'id' in created], ['Soup', 4.5, false])
      const updated = await client.update('dishes', created.documentId, { price: null })
      assert.deepEqual([updated.name, updated.price], ['Soup', null])
      const found = await client.findOne('dishes', created.documentId, { fields: ['name'] })
      assert.deepEqual(Object.keys(found), ['id', 'documentId', 'name', 'meta'])
      await client.delete('dishes', created.documentId)
      await assert.rejects(client.findOne('dishes', created.documentId), {
        kind: 'NotFoundError',
        status: 404,
      })
    })

    it('supports filters, sort, pagination and populate', async () => {
      const chef = await client.create('chefs', { name: 'Ana & Söhne [1]', born: '1980-02-29' })
      for (const stars of [1, 2, 3])
        await client.create('restaurants', { name: `Alba ${stars}`, stars, chef: chef.documentId })
      const { data, meta } = await client.find('restaurants', {
        fields: ['name'],
        filters: {
          stars: { $in: [1, 3] },
          createdAt: { $lte: new Date(Date.now() + 60_000) },
          chef: { name: 'Ana & Söhne [1]' },
          $not: { name: { $eqi: 'nobody' } },
        },
        sort: ['stars:desc', { chef: { name: 'asc' } }],
        populate: { chef: { fields: ['name'], populate: { restaurants: { count: true } } } },
        pagination: { start: 0, limit: 1 },
      })
      assert.deepEqual(meta.pagination, { start: 0, limit: 1, total: 2 })
      assert.deepEqual(
        data.map(({ name, chef }) => [name, chef?.name, chef?.restaurants.count]),
        [['Alba 3', 'Ana & Söhne [1]', 3]],
      )
    })

    it('writes drafts and publishes, unpublishes and discards them', async () => {
      const { documentId } = await client.create('articles', { body: 'No title yet' }, { status: 'draft' })
      await assert.rejects(client.publish('articles', documentId), { kind: 'ValidationError' })
      await client.update('articles', documentId, { title: 'One' }, { status: 'draft' })
      const published = await client.publish('articles', documentId, { fields: ['title'] })
      assert.equal(published.title, 'One')
      await client.update('articles', documentId, { title: 'Two' }, { status: 'draft' })
      assert.equal((await client.discard('articles', documentId)).title, 'One')
      assert.equal((await client.unpublish('articles', documentId)).publishedAt, null)
      assert.deepEqual((await client.find('articles', { filters: { documentId } })).data, [])
      const drafts = await client.find('articles', { filters: { documentId }, status: 'draft' })
      assert.equal(drafts.data.length, 1)
    })

    it('schedules documents', async () => {
      const { documentId } = await client.create('articles', { title: 'Later' }, { status: 'draft' })
      const publishAt = new Date('2995-01-01T10:00:00Z')
      const scheduled = await client.schedule('articles', documentId, { publishAt })
      assert.deepEqual([scheduled.publishAt, scheduled.unpublishAt], [publishAt.toISOString(), null])
      assert.deepEqual(await client.findSchedule('articles', documentId), scheduled)
      const cancelled = await client.schedule('articles', documentId, { publishAt: null })
      assert.equal(cancelled.publishAt, null)
      await assert.rejects(client.findSingleSchedule('homepage'), { kind: 'NotFoundError' })
      await client.updateSingle('homepage', { headline: 'Tomorrow' }, { status: 'draft' })
      const single = await client.scheduleSingle('homepage', { publishAt })
      assert.equal(single.publishAt, publishAt.toISOString())
      await client.deleteSingle('homepage', { locale: '*' })
    })

    it('reads and writes single types, and locales of a document', async () => {
      await assert.rejects(client.findSingle('homepage'), { kind: 'NotFoundError' })
      await client.updateSingle('homepage', { headline: 'Hello' })
      await client.updateSingle('homepage', { headline: 'Bonjour' }, { locale: 'fr' })
      const french = await client.findSingle('homepage', { locale: 'fr', populate: ['localizations'] })
      assert.deepEqual([french.headline, french.localizations[0]?.headline], ['Bonjour', 'Hello'])
      await client.updateSingle('homepage', { headline: 'Bonsoir' }, { locale: 'fr', status: 'draft' })
      assert.equal((await client.discardSingle('homepage', { locale: 'fr' })).headline, 'Bonjour')
      assert.equal((await client.unpublishSingle('homepage', { locale: 'fr' })).publishedAt, null)
      await assert.rejects(client.findSingle('homepage', { locale: 'fr' }), { kind: 'NotFoundError' })
      assert.equal((await client.publishSingle('homepage', { locale: 'fr' })).headline, 'Bonjour')
      await client.deleteSingle('homepage', { locale: '*' })
      await assert.rejects(client.publishSingle('homepage'), { kind: 'NotFoundError' })
      await assert.rejects(client.findSingle('homepage', { locale: 'fr' }), { kind: 'NotFoundError' })
    })

    it('uploads files for media attributes', async () => {
      const bytes = new Blob([fileBytes('files/red.png')], { type: 'image/png' })
      const [one, two] = await client.upload(
        [new File([bytes], 'red.png'), bytes],
        [{ alternativeText: 'Red' }, { name: 'other.png' }],
      )
      assert.deepEqual([one?.name, one?.alternativeText, two?.name], ['red.png', 'Red', 'other.png'])
      assert.ok(one && two)
      const { cover, gallery } = await client.create(
        'restaurants',
        { name: 'Pictured', cover: one.id, gallery: [two.documentId, one.documentId] },
        { populate: ['cover', 'gallery'] },
      )
      assert.deepEqual([cover?.url, gallery.map(({ id }) => id)], [one.url, [two.id, one.id]])
    })

    it('throws validation errors with every invalid value and its path', async () => {
      const refusal = await client.create('dishes', { name: 'x', calories: 9000 }).then(
        () => null,
        (error: unknown) => error,
      )
      assert.ok(refusal instanceof OctavoError)
      assert.deepEqual([refusal.status, refusal.kind], [400, 'ValidationError'])
      assert.deepEqual(
        refusal.problems.map(({ path }) => path),
        [['name'], ['calories']],
      )
    })

    it('has the public role without a token, and is refused with an invalid one', async () => {
      const visitor = createClient<Schema>({ url: running.base })
      await assert.rejects(visitor.find('accounts'), { kind: 'ForbiddenError', status: 403 })
      assert.ok((await visitor.find('categories')).meta.pagination)
      const stranger = createClient<Schema>({ url: running.base, token: 'wrong' })
      await assert.rejects(stranger.find('categories'), { kind: 'UnauthorizedError', status: 401 })
    })

    it('encodes documentIds in paths', async () => {
      await assert.rejects(client.findOne('dishes', '../users?x=1#y'), { kind: 'NotFoundError' })
    })
  })
})

describe('without a server', () => {
  const answering = (status: number, body: string) =>
    createClient<Schema>({ url: 'http://localhost', fetch: async () => new Response(body, { status }) })

  it('a response from a proxy is an error with its status', async () => {
    await assert.rejects(answering(502, '<h1>Bad gateway</h1>').find('dishes'), {
      name: 'OctavoError',
      kind: 'UnknownError',
      status: 502,
      problems: [],
    })
  })

  it('a failed connection throws the error of fetch', async () => {
    const failing = async () => {
      throw new TypeError('fetch failed')
    }
    const client = createClient<Schema>({ url: 'http://localhost', fetch: failing })
    await assert.rejects(client.find('dishes'), TypeError)
  })

  it('sends the position of its last write, so that every process shows it', async () => {
    const given = ['0/9', '0/16B3748', '0/A', 'A/0']
    const brought: (string | null)[] = []
    const client = createClient<Schema>({
      url: 'http://localhost',
      fetch: async (_url, init) => {
        brought.push(new Headers(init?.headers).get('octavo-position'))
        return new Response('{}', { headers: { 'octavo-position': given.shift() ?? '0/0' } })
      },
    })
    for (let count = 0; count < 5; count++) await client.find('restaurants')
    assert.deepEqual(brought, [null, '0/9', '0/16B3748', '0/16B3748', 'A/0'])
  })

  it('a custom fetch gets the whole request', async () => {
    const seen: Request[] = []
    const client = createClient<Schema>({
      url: 'https://content.example.com/',
      token: 'secret',
      fetch: async (...args) => {
        seen.push(new Request(...args))
        return new Response('{"data":{},"meta":{}}')
      },
    })
    await client.update('dishes', 'abc', { name: 'Soup' }, { fields: ['name'] })
    const [request] = seen
    assert.equal(request?.method, 'PUT')
    assert.equal(request?.url, 'https://content.example.com/api/dishes/abc?fields%5B0%5D=name')
    assert.equal(request?.headers.get('authorization'), 'Bearer secret')
    assert.deepEqual(await request?.json(), { data: { name: 'Soup' } })
  })
})
