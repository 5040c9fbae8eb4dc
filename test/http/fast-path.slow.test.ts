import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

const TOKEN = 'a-token-for-the-tests-of-the-fast-path'
const HERE = 'https://here.example'

const files = new Map<string, unknown>([
  ['config/tokens.json', { all: { type: 'full-access', token: TOKEN } }],
  ['config/roles.json', { public: { 'api::tree.tree': ['find'] } }],
  [
    'src/api/tree/content-types/tree/schema.json',
    {
      kind: 'collectionType',
      collectionName: 'trees',
      info: { singularName: 'tree', pluralName: 'trees', displayName: 'Tree' },
      options: { draftAndPublish: false },
      attributes: {
        name: { type: 'string', required: true, unique: true },
        leaf: { type: 'relation', relation: 'oneToOne', target: 'api::tree.tree' },
        seen: { type: 'integer' },
      },
    },
  ],
])

interface ComparedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

type Headers = Readonly<Record<string, string>>
const asAll: Headers = { authorization: `Bearer ${TOKEN}` }
const asJson: Headers = { ...asAll, 'content-type': 'application/json' }

/** Headers that differ between any two responses or depend on the connection. */
const VARYING_HEADERS = new Set(['date', 'x-request-id', 'keep-alive', 'octavo-position'])
const comparable = ({ status, headers, body }: ComparedResponse) => ({
  status,
  headers: Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !VARYING_HEADERS.has(name))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ),
  body,
})

onEachEngine((engine) => {
  let running: TestServer
  let oak = ''

  /** Over the network. */
  const byNetwork = (method: string, path: string, headers: Headers, body?: string) =>
    new Promise<ComparedResponse>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const sent = httpRequest(
        `${running.base}${path}`,
        { method, headers: { ...headers, ...length } },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => void chunks.push(chunk))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })

  /** Through Fastify, without the fast path. */
  const byApp = async (method: 'GET' | 'POST' | 'PUT', path: string, headers: Headers, body?: string) => {
    const response = await running.server.app.inject({
      ...{ method, url: path, headers },
      ...(body !== undefined && { payload: body }),
    })
    return { status: response.statusCode, headers: response.headers, body: response.body }
  }

  before(async () => {
    running = await serve(files, await engine.freshUrl(), { cors: { origins: [HERE], credentials: true } })
    const made = await byNetwork('POST', '/api/trees', asJson, '{"data":{"name":"Ö🌳","seen":1}}')
    assert.equal(made.status, 201)
    oak = JSON.parse(made.body).data.documentId
    await byNetwork('POST', '/api/trees', asJson, JSON.stringify({ data: { name: 'elm', leaf: oak } }))
  })
  after(() => running.close())

  describe('the fast path sends the same response as the Fastify route', () => {
    const reads: Readonly<Record<string, (tag: string) => readonly [string, Headers]>> = {
      'a list': () => ['/api/trees', asAll],
      'a list with parameters': () => ['/api/trees?populate=leaf&sort=name:desc&fields=name', asAll],
      'an empty list': () => ['/api/trees?filters[name]=none', asAll],
      'a document': () => [`/api/trees/${oak}`, asAll],
      'a document that the client has': (tag) => [`/api/trees/${oak}`, { ...asAll, 'if-none-match': tag }],
      'an unknown document': () => ['/api/trees/zzzzzzzzzzzzzzzzzzzzzzzz', asAll],
      'a wrong parameter': () => ['/api/trees?sort=nothing', asAll],
      'an unknown type': () => ['/api/shrubs', asAll],
      'what the public may see': () => ['/api/trees', {}],
      'what the public may not see': () => [`/api/trees/${oak}`, {}],
      'an invalid credential': () => ['/api/trees', { authorization: 'Bearer nobody' }],
      'a request from a listed origin': () => ['/api/trees', { ...asAll, origin: HERE }],
      'a request from another origin': () => ['/api/trees', { ...asAll, origin: 'https://there.example' }],
      'a path that needs decoding': () => ['/api/tr%65es', asAll],
      'a path with a slash at its end': () => ['/api/trees/', asAll],
      'a name that is too long': () => [`/api/trees/${'x'.repeat(101)}`, asAll],
    }
    for (const [name, of] of Object.entries(reads))
      it(name, async () => {
        const tag = String((await byNetwork('GET', `/api/trees/${oak}`, asAll)).headers.etag)
        const [path, headers] = of(tag)
        // The first response is read, the others come from the cache.
        const first = comparable(await byNetwork('GET', path, headers))
        const long = comparable(await byApp('GET', path, headers))
        assert.deepEqual(comparable(await byNetwork('GET', path, headers)), long)
        assert.deepEqual([first.status, first.body], [long.status, long.body])
      })

    const writes: Readonly<Record<string, readonly ['POST' | 'PUT', string, Headers, string]>> = {
      'a body with invalid values': [
        'POST',
        '/api/trees',
        asJson,
        '{"data":{"name":1,"seen":"x","other":2}}',
      ],
      'a body that is not JSON': ['POST', '/api/trees', asJson, '{"data":'],
      'a body that is a number': ['POST', '/api/trees', asJson, '7'],
      'an empty body': ['POST', '/api/trees', asJson, ''],
      'a body with a forbidden key': ['POST', '/api/trees', asJson, '{"__proto__":{}}'],
      'a body of another kind': ['POST', '/api/trees', { ...asAll, 'content-type': 'text/plain' }, 'tree'],
      'a value that must be unique': ['POST', '/api/trees', asJson, '{"data":{"name":"elm"}}'],
      'an unknown document': ['PUT', '/api/trees/zzzzzzzzzzzzzzzzzzzzzzzz', asJson, '{"data":{}}'],
      'a method that is not allowed': ['PUT', '/api/trees', asJson, '{"data":{}}'],
      'a caller without permission': [
        'POST',
        '/api/trees',
        { 'content-type': 'application/json' },
        '{"data":{}}',
      ],
    }
    for (const [name, [method, path, headers, body]] of Object.entries(writes))
      it(name, async () => {
        const long = comparable(await byApp(method, path, headers, body))
        assert.ok(long.status >= 400)
        assert.deepEqual(comparable(await byNetwork(method, path, headers, body)), long)
      })

    it('a write is visible to the next read', async () => {
      const write = (seen: number) => JSON.stringify({ data: { seen } })
      const long = await byApp('PUT', `/api/trees/${oak}`, asJson, write(2))
      const short = await byNetwork('PUT', `/api/trees/${oak}`, asJson, write(3))
      assert.deepEqual(
        [short.status, Object.keys(comparable(short).headers)],
        [200, Object.keys(comparable(long).headers)],
      )
      assert.equal('octavo-position' in short.headers, 'octavo-position' in long.headers)
      assert.equal(JSON.parse(short.body).data.seen, 3)
      assert.equal(JSON.parse((await byNetwork('GET', `/api/trees/${oak}`, asAll)).body).data.seen, 3)
    })
  })

  describe('these requests take the Fastify route', () => {
    it('a name with a route of the project', async () => {
      const own = await serve(
        files,
        await engine.freshUrl(),
        {},
        {
          routes: (app) => {
            app.get('/api/trees/tallest', () => ({ tallest: true }))
          },
        },
      )
      try {
        const response = await fetch(`${own.base}/api/trees/tallest`)
        assert.deepEqual(await response.json(), { tallest: true })
        assert.equal((await fetch(`${own.base}/api/trees`)).status, 200)
      } finally {
        await own.close()
      }
    })

    it('every request, when a hook was added to the app', async () => {
      const urls: string[] = []
      const hooked = await serve(files, await engine.freshUrl(), {}, {}, ({ app }) => {
        app.addHook('onRequest', async ({ url }) => void urls.push(url))
      })
      try {
        assert.equal((await fetch(`${hooked.base}/api/trees`)).status, 200)
        assert.deepEqual(urls, ['/api/trees'])
      } finally {
        await hooked.close()
      }
    })

    it('every request, when a general rate limit is configured', async () => {
      const rateLimit = { general: { requests: 2, windowSeconds: 60 } }
      const limited = await serve(files, await engine.freshUrl(), { rateLimit })
      try {
        const statuses = []
        for (let count = 0; count < 3; count++)
          statuses.push((await fetch(`${limited.base}/api/trees`)).status)
        assert.deepEqual(statuses, [200, 200, 429])
      } finally {
        await limited.close()
      }
    })
  })
})
