/** Cached responses are exact when they were read from a replica, however far behind it was. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer, type OctavoServer } from '../../src/http/app.ts'
import { octavo } from '../support/command.ts'
import { collection, projectFolder, string, TOKEN, typeFile } from '../support/project-server.ts'
import { type Cluster, startCluster } from './cluster.ts'

const CALLERS = 5
const ROUNDS = 30

const WRITTEN_BY = { type: 'relation', relation: 'manyToOne', target: 'api::author.author' }

interface CacheResponse {
  readonly status: number
  readonly body: { readonly data?: unknown; readonly meta?: unknown }
  readonly position: string
}

describe('two servers with a response cache, on a replica that pauses and resumes', () => {
  let cluster: Cluster
  let folder = ''
  const servers: OctavoServer[] = []

  before(async () => {
    cluster = await startCluster()
    folder = projectFolder({
      [typeFile('author')]: collection('author', { name: string, value: { type: 'integer' } }),
      [typeFile('book')]: collection('book', {
        title: string,
        author: WRITTEN_BY,
      }),
    })
    for (let index = 0; index < 2; index++) {
      servers.push(
        await createServer({
          project: folder,
          production: false,
          logLevel: 'silent',
          config: {
            database: { url: cluster.primary.url, replicas: [cluster.standby.url] },
            auth: { secret: 'a secret that is long enough for the tests' },
          },
        }),
      )
    }
  })
  after(async () => {
    for (const server of servers) await server.close()
    await cluster.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const random = (below: number) => Math.floor(Math.random() * below)
  const server = (index: number) => servers[index % servers.length] ?? assert.fail('no server')

  async function send(
    index: number,
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    more: object = {},
  ): Promise<CacheResponse> {
    const { data, position }: { data?: object; position?: string } = more
    const { statusCode, headers, payload } = await server(index).app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(data && { 'content-type': 'application/json' }),
        ...(position && { 'octavo-position': position }),
      },
      ...(data && { payload: JSON.stringify({ data }) }),
    })
    assert.ok(statusCode < 300, `${statusCode} ${payload}`)
    return {
      status: statusCode,
      body: JSON.parse(payload),
      position: String(headers['octavo-position'] ?? ''),
    }
  }
  const at = (value: unknown, ...path: readonly string[]): unknown =>
    path.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value)

  it('return what was written, and finally what is in the database', async () => {
    const authors: string[] = []
    const books: string[] = []
    for (let index = 0; index < CALLERS; index++) {
      const author = await send(index, 'POST', '/api/authors', {
        data: { name: `Author ${index}`, value: 0 },
      })
      authors.push(String(at(author.body, 'data', 'documentId')))
      const data = { title: `Book ${index}`, author: authors[index] }
      const book = await send(index, 'POST', '/api/books', { data, position: author.position })
      books.push(String(at(book.body, 'data', 'documentId')))
    }
    let isOver = false
    const stopAndGo = (async () => {
      while (!isOver) {
        await cluster.standby.query('SELECT pg_wal_replay_pause()')
        await sleep(random(100))
        await cluster.standby.query('SELECT pg_wal_replay_resume()')
        await sleep(random(50))
      }
    })()
    const urls = (index: number) => [
      `/api/authors/${authors[index]}`,
      `/api/books/${books[index]}?populate=author`,
      '/api/authors?sort=name',
      '/api/books?sort=title&populate=author&filters[author][value][$gte]=0',
    ]
    const valueIn = (url: string, { body }: CacheResponse, index: number) => {
      const one = Array.isArray(body.data) ? body.data[index] : body.data
      return Number(at(one, ...(url.startsWith('/api/books') ? ['author', 'value'] : ['value'])))
    }
    await Promise.all(
      authors.map(async (documentId, index) => {
        for (let value = 1; value <= ROUNDS; value++) {
          const where = random(2)
          const { position } = await send(where, 'PUT', `/api/authors/${documentId}`, { data: { value } })
          for (const url of urls(index)) {
            const here = await send(where, 'GET', url)
            assert.equal(valueIn(url, here, index), value, `${url} where it was written`)
            const there = await send(where + 1, 'GET', url, { position })
            assert.equal(valueIn(url, there, index), value, `${url} elsewhere`)
          }
          await sleep(random(20))
        }
      }),
    )
    isOver = true
    await stopAndGo
    await cluster.caughtUp()
    for (const where of servers.keys()) {
      for (const index of authors.keys()) {
        for (const url of urls(index)) {
          assert.equal(valueIn(url, await send(where, 'GET', url), index), ROUNDS, url)
        }
      }
    }
    const [reads] = servers.map(({ store }) => store.metrics().replicas[0]?.reads ?? 0)
    assert.ok(Number(reads) > 0, 'The replica was asked')
  })

  it('show a changed content-type immediately, also when the replica has not replayed the change', async () => {
    const { secret } = await server(0).access.tokens.create({ name: 'changes', kind: 'admin' })
    await send(0, 'GET', '/api/books')
    await cluster.standby.query('SELECT pg_wal_replay_pause()')
    const { statusCode, payload, headers } = await server(0).app.inject({
      method: 'PUT',
      url: '/admin/api/content-types/api::book.book',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      payload: JSON.stringify({
        data: collection('book', { title: string, subtitle: string, author: WRITTEN_BY }),
      }),
    })
    assert.equal(statusCode, 200, payload)
    const position = String(headers['octavo-position'])
    for (const where of servers.keys()) {
      const { body } = await send(where, 'GET', '/api/books?fields=title,subtitle', { position })
      assert.equal(at(body, 'data', '0', 'subtitle'), null)
    }
    await cluster.standby.query('SELECT pg_wal_replay_resume()')
  })

  it('pass the checks of the doctor, which reports an unreachable replica', async () => {
    const replicas = [cluster.standby.url, 'postgres://octavo@127.0.0.1:1/postgres']
    const { out } = await octavo(['doctor', '--project', folder, '--database', cluster.primary.url], {
      env: { OCTAVO_DATABASE_REPLICAS: replicas.join(',') },
    })
    assert.match(out, new RegExp(`^✓ Replica: ${new URL(cluster.standby.url).host} serves reads$`, 'm'))
    assert.match(out, /^! Replica: 127\.0\.0\.1:1 is not used: .*ECONNREFUSED/m)
    assert.doesNotMatch(out, /octavo:octavo/)
  })
})
