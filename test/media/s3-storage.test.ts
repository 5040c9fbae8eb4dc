import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import S3rver from '@20minutes/s3rver'
import { onEachEngine } from '../support/engines.ts'
import { type LibraryServer, startLibrary } from './library-server.ts'
import { plain } from './test-images.ts'

onEachEngine((engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-bucket-'))
  let bucket: S3rver
  let open: LibraryServer
  let closed: LibraryServer
  /** Result of the policy for files in the private bucket. */
  let isShown = true
  before(async () => {
    bucket = new S3rver({
      address: '127.0.0.1',
      port: 0,
      directory: folder,
      silent: true,
      allowMismatchedSignatures: true,
      configureBuckets: [{ name: 'media' }],
    })
    const s3 = {
      bucket: 'media',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${(await bucket.run()).port}`,
      forcePathStyle: true,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    }
    open = await startLibrary(engine, { upload: { s3: { ...s3, prefix: 'open/' } } })
    const config = { upload: { s3: { ...s3, prefix: 'closed/', signedFor: 60 } } }
    const policies = { 'plugin::upload.file': { findOne: () => isShown } }
    closed = await startLibrary(engine, config, { policies })
  })
  after(async () => {
    await open.close()
    await closed.close()
    await bucket.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const picture = async () => ({
    name: 'wide.png',
    content: new Uint8Array(await plain(600, 400).png().toBuffer()),
  })

  test('files are stored in, read from and deleted from the bucket', async () => {
    const { status, body } = await open.upload([await picture()])
    assert.equal(status, 201, JSON.stringify(body))
    const [file] = body
    assert.deepEqual([file.provider, file.isUrlSigned], ['s3', false])
    const urls = [file.url, file.formats.thumbnail.url, file.formats.small.url]
    for (const url of urls) assert.equal((await fetch(url)).headers.get('content-type'), 'image/png')
    assert.equal(existsSync(join(open.project, 'public/uploads', `${file.hash}.png`)), false)
    assert.deepEqual(open.incoming(), [])
    assert.equal((await open.send('DELETE', `/api/upload/files/${file.id}`)).status, 200)
    for (const url of urls) assert.equal((await fetch(url)).status, 404)
  })

  test('files of a private bucket have signed urls for callers who may read them', async () => {
    const [file] = (await closed.upload([await picture()])).body
    assert.equal(file.isUrlSigned, true)
    for (const url of [file.url, file.formats.thumbnail.url]) {
      assert.match(url, /X-Amz-Signature=/)
      assert.equal((await fetch(url)).status, 200)
    }
    const { body } = await closed.send('POST', '/api/articles?populate=cover', 'full', {
      data: { cover: file.id },
    })
    const { url } = body.data.cover
    assert.match(url, /^\/uploads\/wide_[0-9a-f]{16}\.png$/)
    const sentOn = await closed.send('GET', url, 'reader')
    assert.equal(sentOn.status, 302)
    assert.equal(sentOn.headers.get('cache-control'), 'no-store')
    assert.equal((await fetch(sentOn.headers.get('location') ?? '')).status, 200)
    assert.equal((await closed.send('GET', url, 'public')).status, 403)
    isShown = false
    assert.equal((await closed.send('GET', url, 'reader')).status, 403)
    isShown = true
  })

  test('a private bucket serves only files that the caller may find', async () => {
    const [image, text] = (await closed.upload([await picture(), { name: 'a.txt', content: 'secret' }])).body
    const status = async (key: string) => (await closed.send('GET', `/uploads/${key}`, 'images')).status
    assert.equal(await status(`${image.hash}.png`), 302)
    assert.equal(await status(`${image.formats.thumbnail.hash}.png`), 302)
    assert.equal(await status(`${text.hash}.txt`), 404)
    assert.equal(await status('never_0000000000000000.txt'), 404)
    assert.equal((await closed.send('DELETE', `/api/upload/files/${image.id}`)).status, 200)
    assert.equal(await status(`${image.hash}.png`), 404)
  })

  test('a crop says whether the contents are missing, or the bucket cannot be read', async () => {
    const [file] = (await open.upload([await picture()])).body
    const crop = async () => {
      const fileInfo = { crop: { x: 0, y: 0, width: 50, height: 100 } }
      const { status, body } = await open.send('POST', `/api/upload?id=${file.id}`, 'full', { fileInfo })
      return [status, body.error.message]
    }
    const object = join(folder, 'media', 'open', `${file.hash}.png._S3rver_object`)
    const kept = join(folder, 'kept')
    renameSync(object, kept)
    assert.deepEqual(await crop(), [400, 'The contents of the file are missing'])
    renameSync(kept, object)
    renameSync(join(folder, 'media'), kept)
    assert.deepEqual(await crop(), [503, 'The contents of the file could not be read; try again later'])
    renameSync(kept, join(folder, 'media'))
    assert.equal((await open.send('DELETE', `/api/upload/files/${file.id}`)).status, 200)
  })

  test('a failed upload to the bucket leaves no record', async () => {
    const total = (await open.send('GET', '/api/upload/files')).headers.get('x-total-count')
    rmSync(join(folder, 'media'), { recursive: true })
    const { status, body } = await open.upload([await picture()])
    assert.deepEqual([status, body.error.name], [503, 'ServiceUnavailableError'])
    assert.doesNotMatch(JSON.stringify(body), /S3RVER|NoSuchBucket/)
    assert.equal((await open.send('GET', '/api/upload/files')).headers.get('x-total-count'), total)
    assert.deepEqual(open.incoming(), [])
  })
})
