/** Uids that the server generates while other writes send the same ones. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { typeOf } from '../../src/model/model.ts'
import { systemScope } from '../../src/query/scope.ts'
import { projectFiles, sendRequest } from '../documents/project.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'

const PAGE = {
  kind: 'collectionType',
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  attributes: {
    title: { type: 'string' },
    slug: { type: 'uid', targetField: 'title', options: { generate: true } },
  },
}

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    const files = projectFiles().set('src/api/page/content-types/page/schema.json', PAGE)
    running = await serve(files, await engine.freshUrl())
  })
  after(() => running?.close())

  /** Whether a write waits for the uncommitted row of another one. */
  const isOneWaiting = async () => {
    const sql = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await running.server.store.read({ sql, parameters: [] })).length > 0
  }

  /** Calls `send` while a page with this slug is stored but not yet committed, and returns its response. */
  async function whileStored<Result>(slug: string, send: () => Promise<Result>): Promise<Result> {
    const { store, documents, layout } = running.server
    const type = typeOf(layout().model, 'api::page.page')
    const target = { type, status: 'published', locale: null, scope: systemScope } as const
    const [stored, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = store.write(async (transaction) => {
      await documents.within(transaction).create(target, { slug }, async () => null)
      // This read runs after the insert, so the row is stored.
      await transaction.all({ sql: 'select 1 as one', parameters: [] })
      stored.resolve()
      await sent.promise
    })
    await stored.promise
    const response = send()
    try {
      // On SQLite the second write waits before it starts.
      if (engine.name === 'postgres') await waitUntil(isOneWaiting)
    } finally {
      sent.resolve()
      await holding
    }
    return response
  }

  const post = (title: string, headers = {}) =>
    sendRequest(running, 'POST', '/api/pages', { data: { title } }, headers)

  describe('a uid that a concurrent write takes', () => {
    it('gets a number', async () => {
      const { status, body } = await whileStored('alone', () => post('Alone'))
      assert.deepEqual([status, body.data?.slug], [201, 'alone-1'])
    })

    it('gets a number in a request with an idempotency key', async () => {
      const key = { 'idempotency-key': 'one' }
      const first = await whileStored('keyed', () => post('Keyed', key))
      assert.deepEqual([first.status, first.body.data?.slug], [201, 'keyed-1'])
      assert.deepEqual((await post('Keyed', key)).body, first.body)
    })

    it('gets a number in a batch, which is still executed once', async () => {
      const operations = ['Before', 'Batched'].map((title) => ({
        method: 'POST',
        path: '/api/pages',
        body: { data: { title } },
      }))
      const { body } = await whileStored('batched', () =>
        sendRequest(running, 'POST', '/api/batch', { operations }),
      )
      const slugs = body.data?.map((one: { body: { data: { slug: string } } }) => one.body.data.slug)
      assert.deepEqual(slugs, ['before', 'batched-1'])
      const { body: found } = await sendRequest(running, 'GET', '/api/pages?filters[title]=Before')
      assert.equal(found.meta.pagination.total, 1)
    })

    it('is refused with the index of the operation that sent it, even if others are generated', async () => {
      const made = (data: object) => ({ method: 'POST', path: '/api/pages', body: { data } })
      assert.equal(
        (await sendRequest(running, 'POST', '/api/pages', { data: { slug: 'taken' } })).status,
        201,
      )
      const [one, sent, other] = [made({ title: 'One' }), made({ slug: 'taken' }), made({ title: 'Other' })]
      for (const operations of [
        [one, sent, other],
        [one, sent],
        [sent, one],
      ]) {
        const { status, body } = await sendRequest(running, 'POST', '/api/batch', { operations })
        assert.deepEqual([status, body.error.details.operation], [400, operations.indexOf(sent)])
      }
    })

    it('is refused when it was sent', async () => {
      const data = { title: 'Sent', slug: 'sent' }
      const { status, body } = await whileStored('sent', () =>
        sendRequest(running, 'POST', '/api/pages', { data }),
      )
      assert.deepEqual([status, body.error.details.errors[0].path], [400, ['slug']])
    })
  })
})
