import assert from 'node:assert/strict'
import { request as ask } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { serve, type TestServer } from '../support/server.ts'

const TOKEN = 'a-token-for-the-tests-of-the-short-way'
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

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

type Headers = Readonly<Record<string, string>>
const asAll: Headers = { authorization: `Bearer ${TOKEN}` }
const asJson: Headers = { ...asAll, 'content-type': 'application/json' }

/** What differs between any two answers, and what only a connection has. */
const PASSING = new Set(['date', 'x-request-id', 'keep-alive', 'octavo-position'])
const comparable = ({ status, headers, body }: Answer) => ({
  status,
  headers: Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !PASSING.has(name))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ),
  body,
})

onEachEngine((engine) => {
  let running: TestServer
  let oak = ''

  /** Through the network. */
  const byNetwork = (method: string, path: string, headers: Headers, body?: string) =>
    new Promise<Answer>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const sent = ask(
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

  /** Into the app itself, which the short way leaves aside. */
  const byApp = async (method: 'GET' | 'POST' | 'PUT', path: string, headers: Headers, body?: string) => {
    const answer = await running.server.app.inject({
      ...{ method, url: path, headers },
      ...(body !== undefined && { payload: body }),
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  }

  before(async () => {
    running = await serve(files, await engine.freshUrl(), { cors: { origins: [HERE], credentials: true } })
    const made = await byNetwork('POST', '/api/trees', asJson, '{"data":{"name":"Ö🌳","seen":1}}')
    assert.equal(made.status, 201)
    oak = JSON.parse(made.body).data.documentId
    await byNetwork('POST', '/api/trees', asJson, JSON.stringify({ data: { name: 'elm', leaf: oak } }))
  })
  after(() => running.close())

  describe('the short way answers as the long one', () => {
    const reads: Readonly<Record<string, (tag: string) => readonly [string, Headers]>> = {
      'a list': () => ['/api/trees', asAll],
      'a list with parameters': () => ['/api/trees?populate=leaf&sort=name:desc&fields=name', asAll],
      'an empty list': () => ['/api/trees?filters[name]=none', asAll],
      'a document': () => [`/api/trees/${oak}`, asAll],
      'a document that is known': (tag) => [`/api/trees/${oak}`, { ...asAll, 'if-none-match': tag }],
      'a document that is not there': () => ['/api/trees/zzzzzzzzzzzzzzzzzzzzzzzz', asAll],
      'a wrong parameter': () => ['/api/trees?sort=nothing', asAll],
      'a type that is not there': () => ['/api/shrubs', asAll],
      'what the public may see': () => ['/api/trees', {}],
      'what the public may not see': () => [`/api/trees/${oak}`, {}],
      'a credential that is none': () => ['/api/trees', { authorization: 'Bearer nobody' }],
      'a page of another origin that is listed': () => ['/api/trees', { ...asAll, origin: HERE }],
      'a page of one that is not': () => ['/api/trees', { ...asAll, origin: 'https://there.example' }],
      'a path that needs decoding': () => ['/api/tr%65es', asAll],
      'a path with a slash at its end': () => ['/api/trees/', asAll],
      'a name that is too long': () => [`/api/trees/${'x'.repeat(101)}`, asAll],
    }
    for (const [name, of] of Object.entries(reads))
      it(name, async () => {
        const tag = String((await byNetwork('GET', `/api/trees/${oak}`, asAll)).headers.etag)
        const [path, headers] = of(tag)
        // The first answer is read, the others are kept.
        const first = comparable(await byNetwork('GET', path, headers))
        const long = comparable(await byApp('GET', path, headers))
        assert.deepEqual(comparable(await byNetwork('GET', path, headers)), long)
        assert.deepEqual([first.status, first.body], [long.status, long.body])
      })

    const writes: Readonly<Record<string, readonly ['POST' | 'PUT', string, Headers, string]>> = {
      'a body with mistakes': ['POST', '/api/trees', asJson, '{"data":{"name":1,"seen":"x","other":2}}'],
      'a body that is no JSON': ['POST', '/api/trees', asJson, '{"data":'],
      'a body that is a number': ['POST', '/api/trees', asJson, '7'],
      'an empty body': ['POST', '/api/trees', asJson, ''],
      'a body with a forbidden key': ['POST', '/api/trees', asJson, '{"__proto__":{}}'],
      'a body of another kind': ['POST', '/api/trees', { ...asAll, 'content-type': 'text/plain' }, 'tree'],
      'a value that must be unique': ['POST', '/api/trees', asJson, '{"data":{"name":"elm"}}'],
      'a document that is not there': ['PUT', '/api/trees/zzzzzzzzzzzzzzzzzzzzzzzz', asJson, '{"data":{}}'],
      'a method that is not allowed': ['PUT', '/api/trees', asJson, '{"data":{}}'],
      'somebody who may not': ['POST', '/api/trees', { 'content-type': 'application/json' }, '{"data":{}}'],
    }
    for (const [name, [method, path, headers, body]] of Object.entries(writes))
      it(name, async () => {
        const long = comparable(await byApp(method, path, headers, body))
        assert.ok(long.status >= 400)
        assert.deepEqual(comparable(await byNetwork(method, path, headers, body)), long)
      })

    it('a write, shown at once to whoever reads', async () => {
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

  describe('leaves to the app', () => {
    it('what a project has routes of its own for', async () => {
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
        const answer = await fetch(`${own.base}/api/trees/tallest`)
        assert.deepEqual(await answer.json(), { tallest: true })
        assert.equal((await fetch(`${own.base}/api/trees`)).status, 200)
      } finally {
        await own.close()
      }
    })

    it('every request, when somebody has put a hook around all of them', async () => {
      const seen: string[] = []
      const hooked = await serve(files, await engine.freshUrl(), {}, {}, ({ app }) => {
        app.addHook('onRequest', async ({ url }) => void seen.push(url))
      })
      try {
        assert.equal((await fetch(`${hooked.base}/api/trees`)).status, 200)
        assert.deepEqual(seen, ['/api/trees'])
      } finally {
        await hooked.close()
      }
    })

    it('every request, when their number is limited', async () => {
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
