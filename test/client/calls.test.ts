/** The options of client calls, and the headers of responses. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Client, createClient } from '../../src/client/index.ts'
import { loadRecording, PROJECT } from '../reference/recording.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import type { Schema } from './schema.ts'

const { tokens } = loadRecording()

onEachEngine((engine) => {
  describe('a call of the client', () => {
    let running: TestServer
    let client: Client<Schema>
    before(async () => {
      running = await serve(PROJECT, await engine.freshUrl())
      client = createClient<Schema>({ url: running.base, token: tokens.full })
    })
    after(() => running.close())

    it('changes nothing if the document has changed since its etag was read', async () => {
      const { documentId } = await client.create('dishes', { name: 'Soup', price: 4 })
      const read = await client.findOne('dishes', documentId)
      const ifMatch = client.about(read).etag
      assert.ok(ifMatch)
      const changed = await client.update('dishes', documentId, { price: 5 }, {}, { ifMatch })
      const late = { kind: 'PreconditionFailedError', status: 412 }
      await assert.rejects(client.update('dishes', documentId, { price: 6 }, {}, { ifMatch }), late)
      await assert.rejects(client.delete('dishes', documentId, {}, { ifMatch }), late)
      assert.equal((await client.findOne('dishes', documentId)).price, 5)
      await client.delete('dishes', documentId, {}, { ifMatch: client.about(changed).etag })
    })

    it('checks the etag for actions and single types too', async () => {
      const late = { kind: 'PreconditionFailedError' }
      const { documentId } = await client.create('articles', { title: 'One' })
      const ifMatch = client.about(await client.findOne('articles', documentId)).etag
      await client.update('articles', documentId, { title: 'Two' })
      await assert.rejects(client.unpublish('articles', documentId, {}, { ifMatch }), late)
      const former = client.about(await client.updateSingle('homepage', { headline: 'One' })).etag
      await client.updateSingle('homepage', { headline: 'Two' })
      await assert.rejects(client.publishSingle('homepage', {}, { ifMatch: former }), late)
      await assert.rejects(client.deleteSingle('homepage', {}, { ifMatch: former }), late)
    })

    it('reads, compares and restores earlier states, and finds deleted documents', async () => {
      const { documentId } = await client.create('articles', { title: 'One' })
      await client.update('articles', documentId, { title: 'Two' })
      const { data: versions, meta } = await client.history('articles', documentId)
      assert.equal(meta.pagination.total, 2)
      const [second, first] = versions.map(({ version }) => version)
      assert.ok(first && second)
      assert.equal((await client.findVersion('articles', documentId, first)).data.title, 'One')
      const { data: changes } = await client.compareVersions('articles', documentId, second, {
        against: first,
      })
      assert.deepEqual(changes, [{ path: ['title'], kind: 'changed', before: 'One', after: 'Two' }])
      const restored = await client.restoreVersion('articles', documentId, first, { status: 'published' })
      assert.deepEqual([restored.data.title, restored.meta.notRestored], ['One', []])
      await client.delete('articles', documentId)
      const { data: deleted } = await client.findDeleted('articles')
      assert.deepEqual([deleted[0]?.documentId, deleted[0]?.document.title], [documentId, 'One'])
    })

    it('reads, compares and restores earlier states of a single type', async () => {
      await client.updateSingle('homepage', { headline: 'Before' })
      await client.updateSingle('homepage', { headline: 'After' })
      const { data: versions } = await client.singleHistory('homepage', { pagination: { pageSize: 2 } })
      const [after, before] = versions.map(({ version }) => version)
      assert.ok(before && after)
      assert.equal((await client.findSingleVersion('homepage', before)).data.headline, 'Before')
      const { data: changes } = await client.compareSingleVersions('homepage', after)
      assert.deepEqual(changes, [{ path: ['headline'], kind: 'changed', before: 'Before', after: 'After' }])
      await client.restoreSingleVersion('homepage', before, { status: 'published' })
      assert.equal((await client.findSingle('homepage')).headline, 'Before')
    })

    it('is executed once if it is repeated with the same idempotency key', async () => {
      const create = (idempotencyKey: string) =>
        client.create('dishes', { name: 'Once' }, {}, { idempotencyKey })
      const [first, again, other] = [await create('a'), await create('a'), await create('b')]
      assert.equal(again.documentId, first.documentId)
      assert.notEqual(other.documentId, first.documentId)
      const { meta } = await client.find('dishes', { filters: { name: 'Once' } })
      assert.equal(meta.pagination.total, 2)
    })

    it('lists what was omitted because the caller may not read it', async () => {
      const { documentId } = await client.create('restaurants', { name: 'Alba' })
      const visitor = createClient<Schema>({ url: running.base })
      const query = { populate: { manager: true, chef: { populate: { signature_dishes: true } } } } as const
      const one = await visitor.findOne('restaurants', documentId, query)
      assert.deepEqual(visitor.about(one).omitted, ['manager', 'chef.signature_dishes'])
      assert.deepEqual(visitor.about(await visitor.find('restaurants', query)).omitted, [
        'manager',
        'chef.signature_dishes',
      ])
      assert.deepEqual(client.about(await client.findOne('restaurants', documentId, query)).omitted, [])
    })

    it('calls the token function before each request, also an asynchronous one', async () => {
      const given: (string | undefined)[] = ['wrong', tokens.full, undefined]
      const changing = createClient<Schema>({ url: running.base, token: async () => given.shift() })
      await assert.rejects(changing.find('accounts'), { kind: 'UnauthorizedError' })
      assert.ok(await changing.find('accounts'))
      await assert.rejects(changing.find('accounts'), { kind: 'ForbiddenError' })
    })

    it('is aborted by its signal, before or after it is sent', async () => {
      const given = new AbortController()
      given.abort()
      await assert.rejects(client.find('dishes', {}, { signal: given.signal }), { name: 'AbortError' })
      const later = new AbortController()
      const call = client.upload(new Blob(['x']), { name: 'x.txt' }, { signal: later.signal })
      later.abort(new Error('The page was left'))
      await assert.rejects(call, { message: 'The page was left' })
    })

    it('has no headers for other objects', () => {
      assert.deepEqual(client.about({}), { omitted: [] })
    })
  })
})
