import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

onEachEngine((engine) => {
  let api: ReferenceServer
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl())
  })
  after(() => api.close())

  const total = async (plural: string) => (await api.send('GET', `/api/${plural}`)).json().meta.pagination
  const batch = (operations: unknown, headers?: Readonly<Record<string, string>>) =>
    api.send('POST', '/api/batch', { operations }, headers)

  describe('a batch', () => {
    it('creates documents that refer to each other', async () => {
      const response = await batch([
        { id: 'chef', method: 'POST', path: '/api/chefs', body: { data: { name: 'Ida' } } },
        {
          method: 'POST',
          path: '/api/restaurants?populate=chef',
          body: { data: { name: 'Iris', chef: { $ref: 'chef.documentId' } } },
        },
        { method: 'PUT', path: '/api/chefs/{chef.documentId}', body: { data: { awards: 3 } } },
        { method: 'DELETE', path: '/api/restaurants/{1.documentId}?locale=*' },
      ])
      assert.equal(response.status, 200)
      const results: {
        status: number
        body: { data: { chef?: { name: string }; awards?: number } } | null
      }[] = JSON.parse(response.text).data
      assert.deepEqual(
        results.map(({ status }) => status),
        [201, 201, 200, 204],
      )
      assert.equal(results[1]?.body?.data.chef?.name, 'Ida')
      assert.equal(results[2]?.body?.data.awards, 3)
      assert.equal(results[3]?.body, null)
    })

    it('that names the same documents as others at the same time, in another order, does not hold them up', async () => {
      const ids: string[] = []
      for (let number = 0; number < 12; number++) {
        const created = await api.send('POST', '/api/categories', { data: { name: `Shared ${number}` } })
        ids.push(created.json().data.documentId)
      }
      const responses = await Promise.all(
        ids.map((_, by) => {
          const order = [...ids.slice(by), ...ids.slice(0, by)]
          const operations = (by % 2 === 0 ? order : order.reverse()).map((id) => ({
            method: 'PUT',
            path: `/api/categories/${id}?fields=name`,
            body: { data: { name: `${id} by ${by}` } },
          }))
          return batch(operations, by % 3 === 0 ? { 'idempotency-key': `shared ${by}` } : {})
        }),
      )
      assert.deepEqual(
        responses.map(({ status }) => status),
        ids.map(() => 200),
      )
    })

    it('writes nothing when an operation fails, and names the operation', async () => {
      const before = await total('categories')
      const response = await batch([
        { method: 'POST', path: '/api/categories', body: { data: { name: 'Stews' } } },
        { method: 'POST', path: '/api/categories', body: { data: { name: 7 } } },
      ])
      assert.equal(response.status, 400)
      assert.equal(response.json().error.details.operation, 1)
      assert.deepEqual(await total('categories'), before)
    })

    it('refuses unknown keys of operations and suggests a similar one', async () => {
      const operation = { method: 'POST', path: '/api/categories', body: { data: { name: 'Keys' } } }
      const before = await total('categories')
      for (const [extra, message] of [
        [{ headers: { 'if-match': '"1"' } }, 'Invalid key headers at operations.1'],
        [{ 'if-match': '"1"' }, 'Invalid key if-match at operations.1; did you mean "ifMatch"?'],
        [{ data: {} }, 'Invalid key data at operations.1'],
      ] as const) {
        const { error } = (await batch([operation, { ...operation, ...extra }])).json()
        assert.deepEqual([error.status, error.name, error.message], [400, 'ValidationError', message])
        const [key] = Object.keys(extra)
        assert.deepEqual(error.details, { key, path: 'operations.1', source: 'body' })
      }
      assert.deepEqual(await total('categories'), before)
    })

    it('refuses a duplicate unique value like a single request', async () => {
      const operation = { method: 'POST', path: '/api/categories', body: { data: { name: 'Twice' } } }
      const response = await batch([operation, operation])
      assert.equal(response.status, 400)
      assert.match(response.text, /"path":\["name"\]/)
    })

    it('names the operation with the duplicate unique value, at any index', async () => {
      const make = (name: string) => ({ method: 'POST', path: '/api/categories', body: { data: { name } } })
      assert.equal((await api.send('POST', '/api/categories', { data: { name: 'Taken' } })).status, 201)
      const free = Array.from({ length: 9 }, (_, number) => make(`Free ${number}`))
      const deletion = { method: 'DELETE', path: '/api/categories/none' }
      const renamed = {
        id: 'renamed',
        method: 'PUT',
        path: '/api/categories/{0.documentId}',
        body: { data: { name: 'Taken' } },
      }
      const failedOperation = async (operations: readonly unknown[], headers = {}) => {
        const response = await batch(operations, headers)
        assert.equal(response.status, 400, response.text)
        assert.match(response.text, /"path":\["name"\]/)
        return response.json().error.details.operation
      }
      assert.equal(await failedOperation([make('Taken'), ...free]), 0)
      assert.equal(await failedOperation([...free.slice(0, 4), deletion, make('Taken'), ...free.slice(4)]), 5)
      assert.equal(await failedOperation([...free, renamed]), 9)
      assert.equal(await failedOperation([...free, make('Free 3')], { 'idempotency-key': 'taken-value' }), 9)
      assert.doesNotMatch((await api.send('GET', '/api/categories')).text, /Free/)
    })

    it('checks the permission of each operation', async () => {
      const response = await batch(
        [{ method: 'POST', path: '/api/categories', body: { data: { name: 'Never' } } }],
        { authorization: '' },
      )
      assert.equal(response.status, 403)
    })

    const refused: readonly (readonly [what: string, operations: unknown, status: number])[] = [
      ['no list', 'x', 400],
      ['an empty list', [], 400],
      [
        'too many operations',
        Array.from({ length: 101 }, () => ({ method: 'DELETE', path: '/api/tags/a' })),
        400,
      ],
      ['a read', [{ method: 'GET', path: '/api/tags' }], 400],
      ['a path outside of the interface', [{ method: 'POST', path: '/admin/api/tokens' }], 400],
      ['a path that is none', [{ method: 'POST', path: '/api/nothing', body: { data: {} } }], 404],
      ['a batch in a batch', [{ method: 'POST', path: '/api/batch', body: { operations: [] } }], 404],
      ['a reference to nothing', [{ method: 'DELETE', path: '/api/tags/{x.documentId}' }], 400],
      [
        'a reference to a prototype',
        [{ method: 'POST', path: '/api/tags', body: { data: { label: { $ref: '0.constructor' } } } }],
        400,
      ],
      [
        'the same id twice',
        [
          { id: 'a', method: 'DELETE', path: '/api/tags/a' },
          { id: 'a', method: 'DELETE', path: '/api/tags/b' },
        ],
        400,
      ],
    ]
    for (const [what, operations, status] of refused) {
      it(`with ${what} is refused`, async () => assert.equal((await batch(operations)).status, status))
    }
  })

  describe('an idempotency key', () => {
    const create = (name: string, key: string) =>
      api.send('POST', '/api/tags', { data: { label: name } }, { 'idempotency-key': key })

    it('returns the first document for a repeated create', async () => {
      const first = await create('once', 'key-1')
      const again = await create('once', 'key-1')
      assert.deepEqual([first.status, again.status], [201, 201])
      assert.equal(again.text, first.text)
      assert.equal(again.headers['idempotency-replayed'], 'true')
      assert.equal(
        (await api.send('GET', '/api/tags?filters[label]=once')).json().meta.pagination instanceof Object,
        true,
      )
      assert.match((await api.send('GET', '/api/tags?filters[label]=once')).text, /"total":1/)
    })

    it('creates one document for many concurrent requests', async () => {
      const responses = await Promise.all(Array.from({ length: 8 }, () => create('crowd', 'key-2')))
      assert.deepEqual(new Set(responses.map(({ text }) => text)).size, 1)
      assert.match((await api.send('GET', '/api/tags?filters[label]=crowd')).text, /"total":1/)
    })

    it('is refused with another request', async () => {
      await create('mine', 'key-3')
      assert.equal((await create('yours', 'key-3')).status, 400)
    })

    it('can be used again when the request failed', async () => {
      assert.equal(
        (await api.send('POST', '/api/tags', { data: { label: 5 } }, { 'idempotency-key': 'key-4' })).status,
        400,
      )
      assert.equal((await create('better', 'key-4')).status, 201)
    })

    it('belongs to its caller', async () => {
      await create('private', 'key-5')
      const other = await api.send(
        'POST',
        '/api/tags',
        { data: { label: 'private' } },
        { authorization: '', 'idempotency-key': 'key-5' },
      )
      assert.equal(other.status, 403)
    })

    it('runs a batch once', async () => {
      const operations = [{ method: 'POST', path: '/api/tags', body: { data: { label: 'batched' } } }]
      const [first, again] = [
        await batch(operations, { 'idempotency-key': 'key-6' }),
        await batch(operations, { 'idempotency-key': 'key-6' }),
      ]
      assert.equal(again.text, first.text)
      assert.match((await api.send('GET', '/api/tags?filters[label]=batched')).text, /"total":1/)
    })

    it('is refused when it is empty or too long', async () => {
      assert.equal((await create('x', '')).status, 400)
      assert.equal((await create('x', 'k'.repeat(256))).status, 400)
    })
  })

  describe('a batch with large responses', () => {
    const LIMIT = 5_000_000
    let large: ReferenceServer
    let path = ''
    let bytes = 0
    before(async () => {
      large = await startReferenceServer(await engine.freshUrl(), { limits: { responseBytes: LIMIT } })
      const category = await large.send('POST', '/api/categories', { data: { name: 'Large' } })
      const { documentId } = category.json().data
      path = `/api/categories/${documentId}?populate=restaurants`
      for (let part = 0; part < 5; part++) {
        const created = await send(
          Array.from({ length: 100 }, (_, index) => ({
            method: 'POST',
            path: '/api/restaurants?fields=documentId',
            body: { data: { name: `${'x'.repeat(60)} ${part} ${index}`, categories: [documentId] } },
          })),
        )
        assert.equal(created.status, 200, created.text)
      }
      const one = await send([update('one')])
      assert.equal(one.status, 200, one.text)
      bytes = one.text.length
    })
    after(() => large?.close())

    const send = (operations: readonly unknown[]) => large.send('POST', '/api/batch', { operations })
    const update = (name: string) => ({ method: 'PUT', path, body: { data: { name } } })
    const updates = (count: number) => Array.from({ length: count }, (_, index) => update(`name ${index}`))

    it('is refused, and writes nothing, if the responses together exceed limits.responseBytes', async () => {
      const refused = await send(updates(Math.ceil(LIMIT / bytes) + 1))
      assert.equal(refused.status, 400, refused.text.slice(0, 300))
      const { limit, operation } = refused.json().error.details
      assert.equal(limit, 'responseBytes')
      assert.ok(Number(operation) > 1)
      assert.match((await large.send('GET', '/api/categories')).text, /"name":"one"/)
    })

    it('leaves time for other requests between its operations', async (t) => {
      // Every operation seems to take long, however fast the machine is.
      let now = performance.now()
      t.mock.method(performance, 'now', () => (now += 11))
      let turns = 0
      let isRunning = true
      const countTurns = () => {
        turns++
        if (isRunning) setImmediate(countTurns)
      }
      setImmediate(countTurns)
      const operations = updates(Math.floor(LIMIT / bytes) - 1)
      const { status } = await send(operations)
      isRunning = false
      assert.equal(status, 200)
      assert.ok(turns > operations.length, `${turns} turns of the event loop`)
    })
  })
})
