/** Malformed, incomplete and unusual HTTP: every refusal is a JSON error, and the server continues to serve. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine } from '../support/engines.ts'
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.ts'

const FULL = 'full-access-token-0123456789abcdef0123456789abcdef'
const GET = 'GET /api/categories HTTP/1.1\r\nHost: x\r\n'

interface Reply {
  readonly status: number
  readonly headers: string
  readonly body: string
}

/** Parses responses in the order of their arrival; the length of a body is that of its header. */
function repliesIn(text: string): Reply[] {
  const replies: Reply[] = []
  let rest = text
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n')
    const headers = rest.slice(0, end).toLowerCase()
    const length = Number(/content-length: (\d+)/.exec(headers)?.[1] ?? 0)
    replies.push({ status: Number(rest.slice(9, 12)), headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return replies
}

onEachEngine((engine) => {
  let api: ReferenceServer
  before(async () => {
    api = await startReferenceServer(await engine.freshUrl(), {
      server: { headersSeconds: 1, requestSeconds: 2 },
      cors: { origins: ['https://a.example'] },
    })
  })
  after(() => api?.close())

  function open(): Socket {
    const socket = connect(Number(new URL(api.base).port), '127.0.0.1')
    socket.on('error', () => {})
    return socket
  }

  /** Receives until the server closes the connection, or nothing has arrived for `quiet` milliseconds. */
  async function receiveAll(
    socket: Socket,
    quiet = 1_500,
  ): Promise<{ replies: Reply[]; text: string; closed: boolean }> {
    let text = ''
    let last = performance.now()
    let closed = false
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      last = performance.now()
    })
    socket.on('close', () => {
      closed = true
    })
    while (!closed && (text === '' ? performance.now() - last < 30_000 : performance.now() - last < quiet))
      await sleep(10)
    socket.destroy()
    return { replies: repliesIn(text), text, closed }
  }

  async function send(bytes: string): Promise<{ replies: Reply[]; text: string; closed: boolean }> {
    const socket = open()
    socket.write(bytes, 'latin1')
    return receiveAll(socket)
  }

  /** Asserts that the first response is an error with this status in the common format. */
  function assertRefused({ replies, text }: { replies: Reply[]; text: string }, status: number) {
    const [reply] = replies
    assert.equal(reply?.status, status, text.slice(0, 300))
    const { data, error } = JSON.parse(reply.body)
    assert.equal(data, null)
    assert.equal(error.status, status)
    assert.equal(typeof error.name, 'string')
    assert.ok(error.message.length > 0)
    assert.deepEqual(typeof error.details, 'object')
  }

  async function assertServing() {
    const { status } = await api.send('GET', '/api/categories')
    assert.equal(status, 200)
    assert.equal((await fetch(`${api.base}/healthz`)).status, 200)
  }

  describe('bytes that are not HTTP', () => {
    const wrong: Readonly<Record<string, string>> = {
      'an unknown version': 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
      'an unknown method': 'FLY /api/categories HTTP/1.1\r\nHost: x\r\n\r\n',
      'binary bytes': '\u0000\u0001\u0002\u00ff\r\n\r\n',
      'the beginning of TLS': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      'a space in the path': 'GET /api/a b HTTP/1.1\r\nHost: x\r\n\r\n',
      'a NUL in a header': `${GET}A: b\u0000c\r\n\r\n`,
      'a header without a name': `${GET}: b\r\n\r\n`,
      'a header name with a space': `${GET}A b: c\r\n\r\n`,
      'a folded header': `${GET}A: b\r\n c\r\n\r\n`,
      'lines that end with a bare CR': 'GET / HTTP/1.1\rHost: x\r\r',
      'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    }
    for (const [name, bytes] of Object.entries(wrong)) {
      it(`are refused: ${name}`, async () => {
        const response = await send(bytes)
        assertRefused(response, 400)
        assert.ok(response.closed)
        await assertServing()
      })
    }

    it('characters in the URL that are not percent-encoded are refused with a hint', async () => {
      const query = Buffer.from('filters[name]=SÖREN').toString('latin1')
      const response = await send(`GET /api/categories?${query} HTTP/1.1\r\nHost: x\r\n\r\n`)
      assertRefused(response, 400)
      assert.match(response.text, /percent-encoded/)
      const encoded = await send(
        `GET /api/categories?${encodeURI('filters[name]=SÖREN')} HTTP/1.1\r\nHost: x\r\n\r\n`,
      )
      assert.equal(encoded.replies[0]?.status, 200)
    })

    it('are refused: two Host headers', async () => {
      for (const [method, path] of [
        ['GET', '/api/categories'],
        ['GET', '/healthz'],
        ['DELETE', '/api/categories/x'],
      ]) {
        const answer = await send(`${method} ${path} HTTP/1.1\r\nHost: x\r\nA: b\r\nHOST: y\r\n\r\n`)
        assertRefused(answer, 400)
        assert.ok(answer.closed)
      }
      await assertServing()
    })

    it('are refused: no Host', async () => {
      const answer = await send('GET /api/categories HTTP/1.1\r\n\r\n')
      assertRefused(answer, 400)
      assert.ok(answer.closed)
      const { replies } = await send('GET /api/categories HTTP/1.0\r\n\r\n')
      assert.equal(replies[0]?.status, 200)
    })
  })

  describe('lengths that contradict each other', () => {
    const body = '{"data":{"name":"smuggled"}}'
    const post = `POST /api/categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${FULL}\r\nContent-Type: application/json\r\n`
    const inside = `${post}Content-Length: ${body.length}\r\n\r\n${body}`
    const smuggled: Readonly<Record<string, string>> = {
      'both a length and chunks': `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inside}`,
      'chunks and then a length': `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${inside}`,
      'two lengths': `${post}Content-Length: 0\r\nContent-Length: ${inside.length}\r\n\r\n${inside}`,
      'a list of lengths': `${post}Content-Length: 0, ${inside.length}\r\n\r\n${inside}`,
      'a negative length': `${post}Content-Length: -1\r\n\r\n${inside}`,
      'a length with a sign': `${post}Content-Length: +0\r\n\r\n${inside}`,
      'a length in hexadecimal': `${post}Content-Length: 0x0\r\n\r\n${inside}`,
      'a length that is too large to count': `${post}Content-Length: 99999999999999999999999\r\n\r\n${inside}`,
      'an unknown transfer encoding': `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inside}`,
      'chunked not last': `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${inside}`,
      'two transfer encodings': `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${inside}`,
      'a hidden transfer encoding': `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inside}`,
      'a transfer encoding behind a tab': `${post}Transfer-Encoding:\u000bchunked\r\n\r\n0\r\n\r\n${inside}`,
      'a chunk whose size is not a number': `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n${inside}`,
      'a chunk that ends too late': `${post}Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n${inside}`,
      'a chunk size with a line feed alone': `${post}Transfer-Encoding: chunked\r\n\r\n1;a\nb\r\n0\r\n\r\n${inside}`,
    }
    for (const [name, bytes] of Object.entries(smuggled)) {
      it(`are refused, and nothing after them is parsed as a request: ${name}`, async () => {
        const { replies, text, closed } = await send(bytes)
        assert.ok(closed, text)
        assert.deepEqual(
          replies.map(({ status }) => status),
          [400],
          text,
        )
        const { data } = (await api.send('GET', '/api/categories?filters[name]=smuggled')).json()
        assert.deepEqual(data, [])
      })
    }
  })

  describe('a request that is too large', () => {
    it('is refused with 431: headers over 16 KiB', async () => {
      assertRefused(await send(`${GET}A: ${'x'.repeat(20_000)}\r\n\r\n`), 431)
      await assertServing()
    })

    it('is refused with the common headers, so that a page can read the error', async () => {
      const { replies } = await send(
        `${GET}Origin: https://a.example\r\nX-Request-Id: mine\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
      )
      const [{ status, headers } = { status: 0, headers: '' }] = replies
      assert.equal(status, 431)
      assert.match(headers, /\r\naccess-control-allow-origin: https:\/\/a\.example\r\n/)
      assert.match(headers, /\r\nx-request-id: mine\r\n/)
      assert.match(headers, /\r\ncontent-security-policy: /)
      assert.match(headers, /\r\nx-content-type-options: nosniff\r\n/)
      const other = await send(`${GET}Origin: https://b.example\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`)
      assert.doesNotMatch(other.text, /allow-origin/)
    })

    it('is refused with 431: a URL over 16 KiB', async () => {
      assertRefused(
        await send(`GET /api/categories?a=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
        431,
      )
    })

    it('is refused without a body for HEAD', async () => {
      const { text } = await send(`HEAD /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
      assert.match(text, /^HTTP\/1\.1 431 /)
      assert.ok(text.endsWith('\r\n\r\n'), text)
    })

    it('is refused with 431: thousands of headers', async () => {
      assertRefused(await send(`${GET}${'a: b\r\n'.repeat(5000)}\r\n`), 431)
      await assertServing()
    })

    it('is refused with 413: a body over the limit, announced or in chunks', async () => {
      const post = `POST /api/categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${FULL}\r\nContent-Type: application/json\r\n`
      const size = 1_200_000
      const large = `{"data":{"name":"${'x'.repeat(size)}"}}`
      assertRefused(await send(`${post}Content-Length: ${large.length}\r\n\r\n${large}`), 413)
      assertRefused(
        await send(
          `${post}Transfer-Encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`,
        ),
        413,
      )
      await assertServing()
    })
  })

  describe('slow and incomplete requests', () => {
    it('get 408 when their headers do not end', async () => {
      const socket = open()
      socket.write('GET /api/categories HTTP/1.1\r\n')
      const timer = setInterval(() => socket.write('a: b\r\n'), 100)
      const response = await receiveAll(socket)
      clearInterval(timer)
      assertRefused(response, 408)
      assert.ok(response.closed)
    })

    it('get 408 when their body does not end', async () => {
      const socket = open()
      socket.write(
        `POST /api/categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${FULL}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      )
      const timer = setInterval(() => socket.write(' '), 100)
      const response = await receiveAll(socket)
      clearInterval(timer)
      assertRefused(response, 408)
      assert.ok(response.closed)
    })

    it('leave nothing behind when the client disconnects', async () => {
      const beginnings = [
        'GET /api/cat',
        `${GET}A: `,
        `POST /api/categories HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"data"`,
        `POST /api/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${FULL}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nhalf`,
        `POST /api/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${FULL}\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n--b\r\n`,
      ]
      for (const bytes of beginnings) {
        for (const leave of [
          (socket: Socket) => socket.end(),
          (socket: Socket) => socket.resetAndDestroy(),
        ]) {
          const socket = open()
          await new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
          leave(socket)
          socket.on('data', () => {})
          await new Promise<void>((resolve) => socket.once('close', () => resolve()))
        }
      }
      await assertServing()
      const files = await api.send('GET', '/api/upload/files')
      assert.equal(files.text, '[]')
    })

    it('are aborted or completed when the client has closed its side', async () => {
      const socket = open()
      socket.end(`${GET}\r\n`)
      const { replies, text } = await receiveAll(socket)
      assert.ok(text === '' || replies[0]?.status === 200, text)
      await assertServing()
    })
  })

  describe('unusual but valid requests', () => {
    it('pipelined requests get their responses in order', async () => {
      const { replies } = await send(
        `${GET}\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n${GET}\r\n`,
      )
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 200, 404, 200],
      )
      assert.equal(replies[1]?.body, '{"status":"ok"}')
    })

    it('a refused request leaves the connection open for the next one', async () => {
      const { replies } = await send(`GET /api/categories?sort=nothing HTTP/1.1\r\nHost: x\r\n\r\n${GET}\r\n`)
      assert.deepEqual(
        replies.map(({ status }) => status),
        [400, 200],
      )
    })

    it('a body that cannot be parsed closes the connection, and the response says so', async () => {
      const head =
        'POST /api/categories HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 8\r\n'
      const { replies, closed } = await send(`${head}\r\n{"data":${GET}\r\n`)
      assert.deepEqual(
        replies.map(({ status }) => status),
        [400],
      )
      assert.match(replies[0]?.headers ?? '', /connection: close/)
      assert.ok(closed)
    })

    it('an unread body is not parsed as a request', async () => {
      const { replies } = await send(
        `GET /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: ${GET.length + 2}\r\n\r\n${GET}\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
      )
      assert.deepEqual(
        replies.map(({ status }) => status),
        [404, 200],
      )
    })

    it('HEAD has the headers of GET and no body', async () => {
      const { replies, text } = await send(
        'HEAD /api/categories HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      )
      assert.equal(replies[0]?.status, 200)
      assert.match(replies[0]?.headers ?? '', /content-length: \d\d/)
      assert.ok(text.endsWith('\r\n\r\n'))
    })

    it('an HTTP/1.0 request gets a response', async () => {
      const { replies } = await send('GET /nowhere\r\n\r\n')
      assertRefused({ replies, text: '' }, 404)
    })

    it('OPTIONS * gets a response', async () => {
      const { replies } = await send('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n')
      assert.equal(replies.length, 1)
      assert.ok(Number(replies[0]?.status) < 500)
    })

    it('only the path of an absolute URL counts', async () => {
      const { replies } = await send('GET http://evil.test/api/categories HTTP/1.1\r\nHost: x\r\n\r\n')
      assert.ok([200, 404].includes(Number(replies[0]?.status)))
      assert.ok(!replies[0]?.body.includes('evil.test'))
    })

    it('a request to upgrade the protocol is ignored', async () => {
      for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
        const { replies } = await send(`${GET}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`)
        assert.equal(replies[0]?.status, 200, protocol)
      }
    })

    it('Expect: 100-continue is met, other expectations are ignored', async () => {
      const body = '{"data":{}}'
      const head = `POST /api/categories HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
      const met = await send(`${head}Expect: 100-continue\r\n\r\n${body}`)
      assert.deepEqual(
        met.replies.map(({ status }) => status),
        [100, 403],
      )
      const passed = await send(`${head}Expect: a-miracle\r\n\r\n${body}`)
      assertRefused(passed, 403)
    })

    it('CONNECT and TRACE are refused', async () => {
      assertRefused(await send('CONNECT evil.test:80 HTTP/1.1\r\nHost: x\r\n\r\n'), 405)
      const { replies, text } = await send(
        'TRACE /api/categories HTTP/1.1\r\nHost: x\r\nCookie: secret=1\r\n\r\n',
      )
      assert.ok([404, 405].includes(Number(replies[0]?.status)), text)
      assert.ok(!text.includes('secret=1'))
    })

    it('a path that cannot be decoded, or is long, is refused with a JSON error', async () => {
      assertRefused(await send('GET /api/categories/%ed%a0%80 HTTP/1.1\r\nHost: x\r\n\r\n'), 400)
      assertRefused(await send(`GET /api/categories/${'x'.repeat(300)} HTTP/1.1\r\nHost: x\r\n\r\n`), 404)
    })
  })
})
