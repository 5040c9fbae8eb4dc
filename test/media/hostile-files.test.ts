import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { waitUntil } from '../support/wait-until.ts'
import * as hostile from './hostile-files.ts'
import { type LibraryServer, startLibrary } from './library-server.ts'
import { noise, plain } from './test-images.ts'

const LONG_FORMAT = 'f'.repeat(30)
const BOUNDARY = 'octavo-boundary'

onEachEngine((engine) => {
  let library: LibraryServer
  before(async () => {
    library = await startLibrary(engine, {
      upload: {
        maxFileSize: 1_000_000,
        maxFiles: 5,
        images: { formats: { thumbnail: [245, 156], [LONG_FORMAT]: [100, 100] } },
      },
    })
  })
  after(() => library.close())

  const send = (name: string, content: string | Buffer, type = 'image/png') =>
    library.upload([{ name, content: typeof content === 'string' ? content : new Uint8Array(content), type }])

  const accepted = async (name: string, content: string | Buffer, type?: string) => {
    const { status, body } = await send(name, content, type)
    assert.equal(status, 201, JSON.stringify(body))
    return body[0]
  }

  /** Sends raw bytes; returns the status line, or '' when the connection was closed without a response. */
  const raw = (head: string[], body: string | Buffer, { abort = false } = {}) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(library.port, '127.0.0.1')
      let response = ''
      socket.on('data', (chunk) => {
        response += chunk
        if (response.includes('\r\n')) {
          socket.destroy()
          resolve(response.split('\r\n', 1)[0] ?? '')
        }
      })
      socket.on('close', () => resolve(''))
      socket.on('error', reject)
      socket.write([...head, '', ''].join('\r\n'))
      socket.write(body)
      // The server has begun to receive the file when it stages it.
      if (abort) waitUntil(() => library.incoming().length > 0).then(() => socket.destroy(), reject)
    })

  const head = (length: number | null, type = `multipart/form-data; boundary=${BOUNDARY}`) => [
    'POST /api/upload HTTP/1.1',
    'Host: localhost',
    ...Object.entries(library.credential('full')).map(([name, value]) => `${name}: ${value}`),
    `Content-Type: ${type}`,
    length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
  ]

  const part = (disposition: string, content: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`

  /** Nothing may be left of a request that failed. */
  const untouched = async (work: () => Promise<void>) => {
    const [stored, { headers }] = [library.stored(), await library.send('GET', '/api/upload/files?limit=1')]
    await work()
    await waitUntil(() => library.incoming().length === 0)
    assert.deepEqual(library.stored(), stored)
    const now = await library.send('GET', '/api/upload/files?limit=1')
    assert.equal(now.headers.get('x-total-count'), headers.get('x-total-count'))
  }

  test('an SVG with a script is served as a download with a policy that blocks scripts', async () => {
    const file = await accepted('logo.png', hostile.scriptInSvg)
    assert.deepEqual([file.mime, file.ext, file.width, file.height], ['image/svg+xml', '.svg', 40, 30])
    const { headers } = await library.send('GET', file.url, 'public')
    assert.equal(headers.get('content-type'), 'image/svg+xml')
    assert.equal(headers.get('content-disposition'), 'attachment')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
  })

  test('HTML named .png is stored as HTML and never served as a page', async () => {
    for (const [name, type] of [
      ['photo.png', 'image/png'],
      ['notes.txt', 'text/plain'],
      ['page.html', 'text/html'],
    ] as const) {
      const file = await accepted(name, hostile.scriptInHtml, type)
      assert.deepEqual([file.mime, file.ext], ['text/html', '.html'])
      const { headers } = await library.send('GET', file.url, 'public')
      assert.equal(headers.get('content-disposition'), 'attachment')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.match(headers.get('content-security-policy') ?? '', /sandbox/)
    }
  })

  test('the type is also detected when a file is replaced', async () => {
    const file = await accepted('photo.png', await plain(4, 4).png().toBuffer())
    const sent = [{ name: 'photo.png', content: new Uint8Array(hostile.scriptInHtml), type: 'image/png' }]
    const { body } = await library.upload(sent, {}, 'full', `?id=${file.id}`)
    assert.equal(body.mime, 'text/html')
    const { headers } = await library.send('GET', body.url, 'public')
    assert.equal(headers.get('content-disposition'), 'attachment')
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
  })

  test('scripts and programs are never served with an executable type', async () => {
    const script = await accepted('app.js', 'alert(1)', 'text/javascript')
    assert.equal(
      (await library.send('GET', script.url)).headers.get('content-type'),
      'text/plain; charset=utf-8',
    )
    const program = await accepted('setup.txt', Buffer.from(`MZ\0\x01${'\0'.repeat(200)}`, 'latin1'))
    const { headers } = await library.send('GET', program.url)
    assert.equal(headers.get('content-type'), 'application/octet-stream')
    assert.equal(headers.get('content-disposition'), 'attachment')
  })

  test('a polyglot of image and HTML is served as the image it starts with', async () => {
    const file = await accepted('page.html', await hostile.pngAndPage(), 'text/html')
    assert.deepEqual([file.mime, file.ext], ['image/png', '.png'])
    const { headers } = await library.send('GET', file.url, 'public')
    assert.equal(headers.get('content-type'), 'image/png')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  })

  test('a polyglot that only starts like an image is rejected', () =>
    untouched(async () => {
      const { status, body } = await send('a.gif', hostile.gifAndScript, 'image/gif')
      assert.deepEqual([status, body.error.name], [400, 'ValidationError'])
    }))

  test('a pixel bomb is rejected', () =>
    untouched(async () => {
      for (const bomb of [hostile.pixelBomb(60_000, 60_000), hostile.pixelBomb(9_000, 9_000)]) {
        const { status, body } = await send('bomb.png', bomb)
        assert.deepEqual([status, body.error.name], [400, 'ValidationError'])
      }
    }))

  test('a zip bomb is stored without being unpacked', async () => {
    const bomb = hostile.zipBomb(100_000_000)
    const file = await accepted('report.docx', bomb, 'application/msword')
    assert.deepEqual([file.mime, file.size], ['application/zip', Math.round(bomb.length / 10) / 100])
  })

  test('nested entities in an SVG are not expanded', async () => {
    const file = await accepted('bomb.svg', hostile.entityBomb, 'image/svg+xml')
    assert.deepEqual([file.mime, file.width], ['image/svg+xml', null])
  })

  test('an SVG of thousands of unclosed tags does not block other requests', async () => {
    const start = performance.now()
    const [file] = await Promise.all([
      accepted('tags.svg', '<svg'.repeat(16_384), 'image/svg+xml'),
      accepted('comments.svg', '<!-- >'.repeat(10_922), 'image/svg+xml'),
    ])
    assert.deepEqual([file.mime, file.width], ['image/svg+xml', null])
    assert.ok(performance.now() - start < 1_500)
  })

  test('path traversal in a file name is reduced to its last part', async () => {
    for (const name of [
      '../../../etc/cron.d/evil.txt',
      '..\\..\\evil.txt',
      '/etc/passwd.txt',
      '%2e%2e%2fevil.txt',
    ]) {
      const file = await accepted(name, 'text', 'text/plain')
      assert.match(file.url, /^\/uploads\/[a-z0-9_]+\.txt$/)
      assert.doesNotMatch(file.name, /[/\\]/)
    }
    const dotted = await accepted('.htaccess', 'AddType text/html .png', 'text/plain')
    assert.match(dotted.url, /^\/uploads\/file_[0-9a-f]{16}\.txt$/)
  })

  test('files and derived formats with the longest names can be fetched', async () => {
    const file = await accepted(`${'x'.repeat(250)}.png`, await plain(600, 400).png().toBuffer())
    for (const url of [file.url, file.formats[LONG_FORMAT].url])
      assert.equal((await library.send('GET', url, 'public')).status, 200, url)
  })

  test('two files with the same name do not overwrite each other', async () => {
    const one = await accepted('same.txt', 'one', 'text/plain')
    const two = await accepted('same.txt', 'two', 'text/plain')
    assert.equal((await library.send('GET', one.url, 'public')).body, 'one')
    assert.equal((await library.send('GET', two.url, 'public')).body, 'two')
  })

  test('a file name cannot inject a response header', async () => {
    const file = await accepted('a"\r\nSet-Cookie: x=1\r\n\u202etxt.exe', 'text', 'text/plain')
    assert.doesNotMatch(file.name, /[\r\n\u202e]/)
    assert.equal((await library.send('GET', file.url)).headers.get('set-cookie'), null)
  })

  test('/uploads serves no dotfiles, folders, listings or paths outside of it', async () => {
    const { port } = library
    for (const path of [
      '/uploads/../package.json',
      '/uploads/..%2f..%2fpackage.json',
      '/uploads/%2e%2e/config/tokens.json',
      '/uploads/..%5c..%5cconfig%5ctokens.json',
      '/uploads/.incoming',
      '/uploads/.incoming/x',
      '/uploads/',
      '/uploads',
      '/uploads//etc/passwd',
      '/uploads/a%00.txt',
      '/uploads/%c0%ae%c0%ae/x.txt',
    ]) {
      const status = await new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
        })
        let text = ''
        socket.on('data', (chunk) => (text += chunk))
        socket.on('error', reject)
        socket.on('close', () => resolve(text))
      })
      assert.match(status, /^HTTP\/1\.1 40[04] /, path)
      assert.doesNotMatch(status, /full-token|root:/, path)
    }
  })

  test('an aborted upload leaves nothing behind', () =>
    untouched(async () => {
      const content = part('name="files"; filename="half.bin"', 'x'.repeat(200_000))
      await raw(head(900_000), content, { abort: true })
      const chunk = Buffer.from(content).toString('latin1')
      await raw(head(null), `${chunk.length.toString(16)}\r\n${chunk}\r\n`, { abort: true })
    }))

  test('an upload aborted after a complete image leaves nothing behind', () =>
    untouched(async () => {
      const picture = (await noise(300, 300).png().toBuffer()).toString('latin1')
      const content = part('name="files"; filename="complete.png"', picture)
      await raw(head(900_000), Buffer.from(content, 'latin1'), { abort: true })
    }))

  test('a malformed multipart body is a 400', () =>
    untouched(async () => {
      const bodies = [
        'no boundary at all',
        `--${BOUNDARY}\r\n`,
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nnever ends`,
        `--${BOUNDARY}\r\n: \r\n\r\nx\r\n--${BOUNDARY}--`,
        `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${BOUNDARY}--\r\n`,
        `--${BOUNDARY}--\r\n`,
        '',
      ]
      for (const body of bodies)
        assert.match(await raw(head(body.length), body), /^HTTP\/1\.1 400 /, JSON.stringify(body))
      const noBoundary = part('name="files"; filename="a.txt"', 'x')
      assert.match(await raw(head(noBoundary.length, 'multipart/form-data'), noBoundary), /^HTTP\/1\.1 400 /)
    }))

  test('prototype keys in a form are rejected', () =>
    untouched(async () => {
      for (const name of ['__proto__', 'constructor', 'toString']) {
        const body = `${part(`name="${name}"`, 'x')}${part('name="files"; filename="a.txt"', 'x')}--${BOUNDARY}--\r\n`
        assert.match(await raw(head(body.length), body), /^HTTP\/1\.1 400 /)
      }
    }))

  test('a file over the limit is a 413', () =>
    untouched(async () => {
      const { status, body } = await send('big.bin', Buffer.alloc(1_000_001), 'application/octet-stream')
      assert.deepEqual([status, body.error.name], [413, 'PayloadTooLargeError'])
    }))

  test('a body whose Content-Length exceeds the limit is rejected before it is read', () =>
    untouched(async () => {
      assert.match(await raw(head(5_000_000_000), '--'), /^HTTP\/1\.1 413 /)
    }))

  test('an endless file is rejected shortly after the limit', () =>
    untouched(async () => {
      const socket = connect(library.port, '127.0.0.1')
      let sent = 0
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      socket.on('error', () => {})
      let response = ''
      socket.on('data', (chunk) => {
        response += chunk
      })
      const write = (text: string) => {
        sent += text.length
        return socket.write(`${text.length.toString(16)}\r\n${text}\r\n`)
      }
      socket.write([...head(null), '', ''].join('\r\n'))
      write(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="a.bin"\r\n\r\n`)
      const block = 'x'.repeat(500_000)
      while (!socket.closed && sent < 100_000_000) {
        if (!write(block))
          await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))])
      }
      assert.ok(socket.closed && sent < 60_000_000, `${sent} bytes were taken`)
      assert.match(response, /^HTTP\/1\.1 413 /)
    }))

  test('too many files, too many fields or a field that is too large are a 413', () =>
    untouched(async () => {
      const file = { name: 'a.txt', content: 'a' }
      assert.equal((await library.upload(Array.from({ length: 6 }, () => file))).status, 413)
      const fields = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, 'x']))
      assert.equal((await library.upload([file], fields)).status, 413)
      assert.equal((await library.upload([file], { fileInfo: 'x'.repeat(100_000) })).status, 413)
    }))

  test('one invalid file of several stores none of them', () =>
    untouched(async () => {
      const { status } = await library.upload([
        { name: 'good.txt', content: 'good' },
        { name: 'good.png', content: new Uint8Array(await plain(600, 400).png().toBuffer()) },
        { name: 'bad.gif', content: new Uint8Array(hostile.gifAndScript) },
      ])
      assert.equal(status, 400)
    }))

  test('a client that is still sending receives the error response', () =>
    untouched(async () => {
      const refusals = [
        { fields: ['file'], size: 3_000_000, as: 'full', status: 400 },
        { fields: ['file', 'files', 'files'], size: 900_000, as: 'full', status: 400 },
        { fields: ['files'], size: 3_000_000, as: 'reader', status: 403 },
        { fields: ['files', 'files'], size: 3_000_000, as: 'full', status: 413 },
        { fields: Array.from({ length: 6 }, () => 'files'), size: 900_000, as: 'full', status: 413 },
        { fields: ['files'], size: 30_000_000, as: 'full', status: 413 },
      ] as const
      for (const { fields, size, as, status } of refusals) {
        const content = new Blob([new Uint8Array(size)])
        for (let tries = 0; tries < 15; tries += 1) {
          const form = new FormData()
          for (const field of fields) form.append(field, content, 'a.bin')
          const sent = { method: 'POST', headers: library.credential(as), body: form }
          const response = await fetch(`${library.base}/api/upload`, sent)
          assert.equal(response.status, status)
          assert.match(await response.text(), new RegExp(`"status":${status},`))
        }
      }
    }))

  test('a caller without permission gets a 403 before the body is read', () =>
    untouched(async () => {
      const lines = head(5_000_000_000).filter((line) => !line.startsWith('authorization'))
      assert.match(await raw(lines, 'x'), /^HTTP\/1\.1 403 /)
    }))

  test('range and conditional requests work for stored files', async () => {
    const { url } = await accepted('range.txt', '0123456789', 'text/plain')
    const get = (headers: Record<string, string>) => fetch(library.base + url, { headers })
    const complete = await get({})
    assert.match(complete.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
    assert.equal(complete.headers.get('accept-ranges'), 'bytes')
    assert.equal(await complete.text(), '0123456789')
    const some = await get({ range: 'bytes=2-5' })
    assert.deepEqual([some.status, some.headers.get('content-range')], [206, 'bytes 2-5/10'])
    assert.equal(await some.text(), '2345')
    const none = await get({ range: 'bytes=50-' })
    assert.deepEqual([none.status, none.headers.get('content-range')], [416, 'bytes */10'])
    // fetch would add a header that requests a fresh response.
    const known = [`GET ${url} HTTP/1.1`, 'Host: localhost', `If-None-Match: ${complete.headers.get('etag')}`]
    assert.match(await raw(known, ''), /^HTTP\/1\.1 304 /)
    const outline = await fetch(library.base + url, { method: 'HEAD' })
    assert.deepEqual([outline.status, outline.headers.get('content-length')], [200, '10'])
    const missing = await fetch(`${library.base}/uploads/never_0000000000000000.txt`)
    assert.equal(missing.status, 404)
    assert.doesNotMatch(missing.headers.get('cache-control') ?? '', /immutable/)
  })
})
