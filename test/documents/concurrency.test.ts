/** Many clients change the same documents: no server errors, and the result is that of some sequential order. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { brokenRules } from './integrity.ts'
import { projectFiles, sendRequest } from './project.ts'

const CLIENTS = 32

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(projectFiles(), await engine.freshUrl())
  })
  after(() => running?.close())

  const clients = <Result>(work: (client: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)))

  async function create(
    type: string,
    data: Readonly<Record<string, unknown>> = {},
    query = '',
  ): Promise<string> {
    const { status, body } = await sendRequest(running, 'POST', `/api/${type}s${query}`, {
      data: { title: type, ...data },
    })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.documentId
  }

  const put = (type: string, id: string, data: unknown, query = '') =>
    sendRequest(running, 'PUT', `/api/${type}s/${id}${query}`, { data })

  async function related(type: string, id: string, attribute: string, query = ''): Promise<string[]> {
    const { body } = await sendRequest(running, 'GET', `/api/${type}s/${id}?populate=${attribute}${query}`)
    return [body.data[attribute] ?? []].flat().map((one: { documentId: string }) => one.documentId)
  }

  const integrity = async () =>
    assert.deepEqual(await brokenRules(running.server.store, running.server.layout()), [])

  describe(`${CLIENTS} clients at once`, () => {
    it('update one document, and the last write is in all its versions', async () => {
      const id = await create('post')
      await put('post', id, { title: 'fr' }, '?locale=fr')
      const statuses = await clients(
        async (client) => (await put('post', id, { title: `by ${client}`, rank: client })).status,
      )
      assert.deepEqual(new Set(statuses), new Set([200]))
      const ranks = []
      for (const query of ['', '?status=draft', '?locale=fr', '?locale=fr&status=draft']) {
        const { body } = await sendRequest(running, 'GET', `/api/posts/${id}${query}`)
        ranks.push(body.data.rank)
        if (!query.includes('fr')) assert.equal(body.data.title, `by ${body.data.rank}`)
      }
      assert.equal(new Set(ranks).size, 1)
      await integrity()
    })

    it('lose no update when they use If-Match', async () => {
      const id = await create('topic', { rank: 0 })
      await clients(async () => {
        for (;;) {
          const { body, etag } = await sendRequest(running, 'GET', `/api/topics/${id}`)
          const data = { rank: body.data.rank + 1 }
          const { status } = await sendRequest(
            running,
            'PUT',
            `/api/topics/${id}`,
            { data },
            { 'if-match': etag },
          )
          if (status === 200) return
          assert.equal(status, 412)
        }
      })
      const { body } = await sendRequest(running, 'GET', `/api/topics/${id}`)
      assert.equal(body.data.rank, CLIENTS)
    })

    it('connect to one document from both sides, each exactly once', async () => {
      const topic = await create('topic')
      const posts = await clients(async (client) => {
        if (client % 2 === 0) return create('post', { topics: [topic] })
        const id = await create('post')
        const { status } = await put('topic', topic, { posts: { connect: [id] } })
        assert.equal(status, 200)
        return id
      })
      assert.deepEqual((await related('topic', topic, 'posts')).sort(), posts.toSorted())
      for (const post of posts)
        assert.deepEqual(await related('post', post, 'topics', '&status=draft'), [topic])
      await integrity()
    })

    it('connect an exclusive target, and exactly one owner gets it', async () => {
      const badge = await create('badge')
      const posts = await clients(() => create('post'))
      const statuses = await clients(async (client) => {
        const post = posts[client] ?? ''
        const written = client % 2 === 0 ? put('post', post, { badge }) : put('badge', badge, { post })
        return (await written).status
      })
      assert.deepEqual(new Set(statuses), new Set([200]))
      const [owner, ...others] = await related('badge', badge, 'post')
      assert.deepEqual(others, [])
      for (const post of posts) {
        assert.deepEqual(await related('post', post, 'badge'), post === owner ? [badge] : [])
      }
      await integrity()
    })

    it('run all operations on a few documents without server errors, and leave them consistent', async () => {
      const posts = await Promise.all([create('post'), create('post'), create('post')])
      const writers = await Promise.all([create('writer'), create('writer')])
      const topics = await Promise.all([create('topic'), create('topic')])
      const badge = await create('badge')
      const statuses = new Map<number, number>()
      await clients(async (client) => {
        for (let round = 0; round < 12; round++) {
          const turn = client * 7 + round * 5
          const post = posts[turn % 3] ?? ''
          const other = posts[(turn + 1 + (round % 2)) % 3] ?? ''
          const writer = writers[turn % 2] ?? ''
          const topic = topics[round % 2] ?? ''
          const act = (type: string, id: string, action: string) =>
            sendRequest(running, 'POST', `/api/${type}s/${id}/actions/${action}`)
          const actions = [
            () =>
              put('post', post, {
                writer,
                topics: { connect: [{ documentId: topic, position: { start: true } }] },
              }),
            () => put('writer', writer, { posts: { connect: [post, other] } }),
            () => put('post', post, { parent: other, badge, rank: turn }, '?status=draft'),
            () => act('post', post, 'publish'),
            () => put('topic', topic, { posts: [other, post] }),
            () => act('post', other, 'discard'),
            () => put('post', post, { children: [other], topics: null }),
            () => act('writer', writer, 'publish'),
            () => put('badge', badge, { post: other }),
            () => act('post', post, 'unpublish'),
            () => put('post', post, { title: `t${turn}` }, '?locale=fr'),
            () => put('writer', writer, { friends: writers, posts: [post] }, '?status=draft'),
          ]
          const response = await actions[(turn + client) % actions.length]?.()
          if (response) statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
          if (response && response.status >= 500) assert.fail(JSON.stringify(response.body))
        }
      })
      assert.ok((statuses.get(200) ?? 0) > CLIENTS * 8, JSON.stringify([...statuses]))
      await integrity()
    })

    it('remove and connect the same documents, and no relation points to a missing document', async () => {
      const topics = await clients(() => create('topic'))
      const post = await create('post')
      await clients(async (client) => {
        const topic = topics[client] ?? ''
        const [connected, removed] = await Promise.all([
          put('post', post, { topics: { connect: [topic] }, likes: { connect: [topic] } }),
          sendRequest(running, 'DELETE', `/api/topics/${topic}`),
        ])
        assert.ok([200, 400].includes(connected.status), JSON.stringify(connected.body))
        assert.equal(removed.status, 204)
      })
      await integrity()
    })
  })

  it('a write that waits for a document does not block others from deleting its rows', async () => {
    const [post, writer] = [await create('post'), await create('writer')]
    const { store } = running.server
    const table = running.server.layout().model.endpoints.get('posts')?.table ?? ''
    const plain = (sql: string) => ({ sql, parameters: [] })
    const waiting: ReturnType<typeof put>[] = []
    await store.write(async (transaction) => {
      transaction.lock([post])
      await transaction.all(plain('SELECT 1'))
      waiting.push(put('writer', writer, { posts: { connect: [post] } }))
      if (!store.dialect.hasSingleWriter) {
        // Shorter than the deadlock timeout of the engine.
        transaction.run(plain(`SET LOCAL lock_timeout = '500ms'`))
        const isWaiting = plain(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)
        await waitUntil(async () => (await transaction.all(isWaiting)).length > 0)
      }
      await transaction.all(
        plain(`DELETE FROM ${table} WHERE document_id = '${post}' AND published = 1 RETURNING id`),
      )
    })
    const [response] = await Promise.all(waiting)
    assert.ok(response)
    assert.equal(response.status, 200, JSON.stringify(response.body))
    assert.deepEqual(await related('writer', writer, 'posts', '&status=draft'), [post])
  })
})
