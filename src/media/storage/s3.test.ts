import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import S3rver from '@20minutes/s3rver'
import { type BucketSettings, createS3Storage } from './s3.ts'
import type { Storage } from './storage.ts'

let folder: string
let strict: { server: S3rver; endpoint: string }
// The server miscalculates signatures of requests to a whole bucket, so listing needs one that overlooks them.
let lenient: { server: S3rver; endpoint: string }

async function startServer(allowMismatchedSignatures: boolean) {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: join(folder, `buckets-${allowMismatchedSignatures}`),
    silent: true,
    allowMismatchedSignatures,
    configureBuckets: [{ name: 'media' }],
  })
  return { server, endpoint: `http://127.0.0.1:${(await server.run()).port}` }
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-s3-'))
  strict = await startServer(false)
  lenient = await startServer(true)
})
after(async () => {
  await strict.server.close()
  await lenient.server.close()
  await rm(folder, { recursive: true })
})

async function withStorage(
  changes: Partial<BucketSettings>,
  work: (storage: Storage) => Promise<void>,
  timeoutMs?: number,
) {
  const settings = {
    bucket: 'media',
    region: 'us-east-1',
    endpoint: strict.endpoint,
    forcePathStyle: true,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    ...changes,
  }
  const storage = await createS3Storage(settings, timeoutMs)
  try {
    await work(storage)
  } finally {
    storage.close()
  }
}

async function put(storage: Storage, key: string, content: string | Uint8Array) {
  const path = join(folder, 'staged')
  await writeFile(path, content)
  await storage.put(key, path)
}

const keysOf = async (storage: Storage) => {
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  return keys
}

test('a file in a bucket can be read at its public url', () =>
  withStorage({ prefix: 'public/' }, async (storage) => {
    await put(storage, 'notes_1.txt', 'Opening notes')
    const url = storage.urlOf('notes_1.txt')
    assert.equal(url, `${strict.endpoint}/media/public/notes_1.txt`)
    const answer = await fetch(url)
    assert.equal(await answer.text(), 'Opening notes')
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
    assert.equal(answer.headers.get('content-disposition'), null)
  }))

test('active content in a bucket is served as a download', () =>
  withStorage({ prefix: 'active/' }, async (storage) => {
    await put(storage, 'page_1.html', '<script>alert(1)</script>')
    const answer = await fetch(storage.urlOf('page_1.html'))
    assert.equal(answer.headers.get('content-disposition'), 'attachment')
  }))

test('a large file is uploaded in parts', () =>
  withStorage({ prefix: 'large/' }, async (storage) => {
    const content = randomBytes(12_000_000)
    await put(storage, 'video_1.mp4', content)
    assert.ok(content.equals(await buffer(await storage.read('video_1.mp4'))))
  }))

test('only the given files are deleted', () =>
  withStorage({ prefix: 'removal/', endpoint: lenient.endpoint }, async (storage) => {
    await put(storage, 'a_1.txt', 'a')
    await put(storage, 'b_1.txt', 'b')
    assert.deepEqual(await keysOf(storage), ['a_1.txt', 'b_1.txt'])
    await storage.delete(['a_1.txt', 'never_there.txt'])
    assert.deepEqual(await keysOf(storage), ['b_1.txt'])
  }))

test('a private bucket is read through signed urls that expire', () =>
  withStorage({ prefix: 'private/', signedFor: 60 }, async (storage) => {
    await put(storage, 'menu_1.pdf', '%PDF-1.4')
    assert.equal(storage.urlOf('menu_1.pdf'), '/uploads/menu_1.pdf')
    const signed = new URL((await storage.sign?.('menu_1.pdf')) ?? '')
    assert.equal(signed.searchParams.get('X-Amz-Expires'), '60')
    assert.equal(await (await fetch(signed)).text(), '%PDF-1.4')
    signed.searchParams.set('X-Amz-Expires', '6000')
    assert.equal((await fetch(signed)).status, 403)
  }))

test('urls follow the configuration', async () => {
  const own = { accessKeyId: 'x', secretAccessKey: 'y', forcePathStyle: false }
  await withStorage({ ...own, endpoint: 'https://s3.eu-west-1.amazonaws.com' }, async (storage) => {
    assert.equal(storage.urlOf('a_1.png'), 'https://media.s3.eu-west-1.amazonaws.com/a_1.png')
  })
  await withStorage({ ...own, publicUrl: 'https://cdn.example.test', prefix: 'm/' }, async (storage) => {
    assert.equal(storage.urlOf('a_1.png'), 'https://cdn.example.test/m/a_1.png')
  })
})

test('a prefix may have characters that mean something in a url', () =>
  withStorage({ prefix: 'größe #1/50%/' }, async (storage) => {
    await put(storage, 'a_1.txt', 'a')
    assert.equal(await (await fetch(storage.urlOf('a_1.txt'))).text(), 'a')
  }))

test('a url that cannot be signed, because there are no credentials, fails with 503', async (t) => {
  const ofClient = () => Object.keys(process.env).filter((name) => name.startsWith('AWS_'))
  const before = Object.fromEntries(ofClient().map((name) => [name, process.env[name]]))
  const setOnly = (variables: Readonly<Record<string, string | undefined>>) => {
    for (const name of ofClient()) delete process.env[name]
    Object.assign(process.env, variables)
  }
  t.after(() => setOnly(before))
  setOnly({
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
    AWS_CONFIG_FILE: join(folder, 'none'),
  })
  const withoutKeys = { accessKeyId: '', secretAccessKey: '', signedFor: 60 }
  await withStorage(withoutKeys, async (storage) => {
    await assert.rejects(async () => storage.sign?.('a_1.txt'), { status: 503 })
  })
})

test('an upload fails when the bucket rejects it', () =>
  withStorage({ secretAccessKey: 'wrong' }, async (storage) => {
    await assert.rejects(put(storage, 'a_1.txt', 'a'))
  }))

/** A server that treats every request to a bucket alike. */
async function withServer(listener: RequestListener, work: (endpoint: string) => Promise<void>) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  try {
    await work(`http://127.0.0.1:${address.port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a server that does not respond is not waited for', () =>
  withServer(
    (request) => void request.resume(),
    (endpoint) =>
      withStorage(
        { endpoint },
        async (storage) => {
          await assert.rejects(put(storage, 'a_1.txt', 'a'), /timed out/)
          await assert.rejects(storage.delete(['a_1.txt']), /timed out/)
          await assert.rejects(storage.read('a_1.txt'), /timed out/)
        },
        50,
      ),
  ))

test('a deletion fails when the bucket refuses it for one of the objects', () =>
  withServer(
    (request, response) => {
      request.resume()
      response.setHeader('content-type', 'application/xml')
      const refused = '<Error><Key>b_1.txt</Key><Code>AccessDenied</Code></Error>'
      response.end(`<?xml version="1.0"?><DeleteResult>${refused}</DeleteResult>`)
    },
    (endpoint) =>
      withStorage({ endpoint }, async (storage) => {
        await assert.rejects(storage.delete(['a_1.txt', 'b_1.txt']), /b_1\.txt \(AccessDenied\)/)
      }),
  ))
