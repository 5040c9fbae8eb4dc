import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { onEachEngine } from '../support/engines.ts'
import { jsonAt } from '../support/json-body.ts'
import { serve, type TestServer } from '../support/server.ts'

const TOKEN = 'a-token-for-the-tests-of-bodies-0123456789'

const files = new Map<string, unknown>([
  ['config/tokens.json', { all: { type: 'full-access', token: TOKEN } }],
  [
    'src/api/place/content-types/place/schema.json',
    {
      kind: 'collectionType',
      collectionName: 'places',
      info: { singularName: 'place', pluralName: 'places', displayName: 'Place' },
      options: { draftAndPublish: false },
      attributes: {
        name: { type: 'string' },
        extra: { type: 'json' },
        friend: { type: 'relation', relation: 'oneToOne', target: 'api::place.place' },
      },
    },
  ],
])

const JSON_TYPE = 'application/json'
const CAFE = '{"data":{"name":"caf\u00e9"}}'

onEachEngine((engine) => {
  let running: TestServer
  before(async () => {
    running = await serve(files, await engine.freshUrl())
  })
  after(() => running.close())

  /** Sends bytes; with a trailing `/` in the path the request takes the Fastify route. */
  const send = async (
    bytes: Uint8Array,
    type: string,
    headers: Record<string, string> = {},
    path = '/api/places',
  ) => {
    const response = await fetch(`${running.base}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': type, ...headers },
      body: new Uint8Array(bytes),
    })
    const at = jsonAt(await response.text())
    return [response.status, at('error', 'name') ?? at('data', 'name')]
  }

  it('refuses charsets other than UTF-8 with 415', async () => {
    for (const charset of ['iso-8859-1', 'utf-16', '"latin1"', 'utf-80'])
      for (const type of [JSON_TYPE, 'application/vnd.api+json', 'application/x-www-form-urlencoded'])
        assert.deepEqual(
          await send(Buffer.from(CAFE, 'latin1'), `${type}; charset=${charset}`),
          [415, 'UnsupportedMediaTypeError'],
          `${type} ${charset}`,
        )
  })

  it('accepts the name UTF-8 in any case', async () => {
    for (const charset of ['utf-8', 'UTF-8', 'utf8', 'UTF8', '"Utf-8"'])
      assert.deepEqual(await send(Buffer.from(CAFE), `${JSON_TYPE}; charset=${charset}`), [201, 'café'])
    assert.deepEqual(await send(Buffer.from(CAFE), JSON_TYPE), [201, 'café'])
  })

  it('refuses invalid UTF-8 on the fast path and on the Fastify route', async () => {
    for (const path of ['/api/places', '/api/places/'])
      for (const text of [CAFE, '{"data":{"name":"\u00ff\u00fe"}}', '{"data":{"name":"\u00c3"}}'])
        assert.deepEqual(
          await send(Buffer.from(text, 'latin1'), JSON_TYPE, {}, path),
          [400, 'SyntaxError'],
          `${path} ${text}`,
        )
    const form = Buffer.from('data[name]=caf\u00e9', 'latin1')
    assert.deepEqual(await send(form, 'application/x-www-form-urlencoded'), [400, 'SyntaxError'])
  })

  it('refuses text that databases cannot store, and names its path', async () => {
    const broken = (path: string, data: string, headers = {}) =>
      fetch(`${running.base}${path}`, {
        method: path.endsWith('s') ? 'POST' : 'PUT',
        headers: { 'content-type': JSON_TYPE, authorization: `Bearer ${TOKEN}`, ...headers },
        body: `{"data":${data}}`,
      })
    for (const text of ['a\\u0000b', '\\ud800']) {
      for (const [data, path] of [
        [`{"name":"${text}"}`, ['name']],
        [`{"extra":{"a":["${text}"]}}`, ['extra', 'a', '0']],
        [`{"extra":{"${text}":1}}`, ['extra', JSON.parse(`"${text}"`)]],
        [`{"friend":"${text}"}`, ['friend']],
      ] as const) {
        const response = await broken('/api/places', data)
        assert.equal(response.status, 400, data)
        assert.deepEqual(jsonAt(await response.text())('error', 'details', 'errors', 0, 'path'), path)
      }
      const one = `{"name":"${text}"}`
      assert.equal((await broken('/api/places/nowhere', one)).status, 404)
      assert.equal((await broken('/api/places/nowhere', `{"${text}":1}`)).status, 400)
      assert.equal((await broken('/api/places', one, { authorization: '' })).status, 403)
      assert.equal((await broken('/api/auth/local/register/', one)).status, 400)
    }
  })

  it('refuses a compressed body with 415', async () => {
    for (const encoding of ['gzip', 'br', 'deflate'])
      assert.deepEqual(await send(gzipSync(CAFE), JSON_TYPE, { 'content-encoding': encoding }), [
        415,
        'UnsupportedMediaTypeError',
      ])
    assert.deepEqual(await send(Buffer.from(CAFE), JSON_TYPE, { 'content-encoding': 'identity' }), [
      201,
      'café',
    ])
  })

  it('decodes forms and query strings with a stray percent sign, and refuses a form that is not UTF-8, has a prototype key or is too large, with errors about the body', async () => {
    const form = async (body: string) => {
      const response = await fetch(`${running.base}/api/places`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
      const at = jsonAt(await response.text())
      return [response.status, at('error', 'name') ?? at('data', 'name'), at('error', 'message')]
    }
    assert.deepEqual(await form('data[name]=caf%C3%A9+100%'), [201, 'café 100%', undefined])
    const found = await fetch(`${running.base}/api/places?filters[name]=caf%C3%A9+100%`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    assert.equal(jsonAt(await found.text())('data', 0, 'name'), 'café 100%')
    for (const body of ['data[name]=caf%E9', 'data[name]=%ED%A0%80', 'data[caf%E9]=1'])
      assert.deepEqual(await form(body), [400, 'SyntaxError', 'The body is not valid UTF-8'], body)
    const forbidden = [400, 'SyntaxError', 'The body contains the forbidden key __proto__']
    assert.deepEqual(await form('data[__proto__][name]=x'), forbidden)
    assert.deepEqual(await form('data[%5F_proto__]=x'), forbidden)
    const [, name, nul] = await form('data[name]=a%00')
    assert.deepEqual([name, nul], ['ValidationError', 'The body cannot contain a NUL character'])
    const [status, , message] = await form('a=1&'.repeat(3_000))
    assert.equal(status, 400)
    assert.match(String(message), /^The body is too large: at most 2000 parameters/)
  })

  it('clients that send all of a body that is too large, or stop when there is a response, receive the response', async () => {
    for (const path of ['/api/places', '/api/auth/local'])
      for (const isChunked of [false, true]) {
        assert.match(await sendTooLarge(path, 8, isChunked, true), / 413 /, `${path} ${isChunked}`)
        assert.match(await sendTooLarge(path, 40, isChunked, false), / 413 /, `${path} ${isChunked}`)
      }
    assert.deepEqual(await send(Buffer.from(CAFE), JSON_TYPE), [201, 'café'])
  })

  /** Sends a body in pieces; returns the status line of the response. */
  async function sendTooLarge(path: string, megabytes: number, isChunked: boolean, all: boolean) {
    const { hostname, port } = new URL(running.base)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
    })
    const write = (text: string) =>
      new Promise<void>((resolve, reject) =>
        socket.write(text, (error) => (error ? reject(error) : setImmediate(resolve))),
      )
    try {
      const size = isChunked ? 'transfer-encoding: chunked' : `content-length: ${megabytes * 1_000_000}`
      await write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${JSON_TYPE}\r\n${size}\r\n\r\n`)
      const piece = ' '.repeat(50_000)
      for (let sent = 0; sent < megabytes * 20 && (all || received === ''); sent++)
        await write(isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece)
      if (all && isChunked) await write('0\r\n\r\n')
      while (received === '') await once(socket, 'data')
      return received.split('\r\n', 1).join()
    } finally {
      socket.destroy()
    }
  }
})
