/** Uploads to a disk that is full or has failed get 503, leave nothing behind, and succeed once there is room again. */
import assert from 'node:assert/strict'
import fs, { renameSync, rmSync, writeFileSync } from 'node:fs'
import { after, afterEach, before, it } from 'node:test'
import { storageProviders } from '../../src/media/storage/providers.ts'
import { type StorageProvider, UPLOADS_PATH } from '../../src/media/storage/storage.ts'
import { section } from '../../src/project/config/setting.ts'
import { onEachEngine } from '../support/engines.ts'
import { type LibraryServer, type SentFile, startLibrary } from './library-server.ts'
import { noise } from './test-images.ts'

const systemError = (code: string) => Object.assign(new Error(`${code}: cannot write`), { code })

/** Makes every write of a stream fail; the database does not write through streams. */
const realWrite = fs.write
function fillDisk(code: string) {
  Reflect.set(fs, 'write', (...given: unknown[]) => {
    const done = given.at(-1)
    if (typeof done === 'function') setImmediate(() => done(systemError(code)))
  })
}
const emptyDisk = () => void Reflect.set(fs, 'write', realWrite)

/** A provider whose disk has room for one file. */
const kept = new Set<string>()
let room = 1
const small: StorageProvider<object> = {
  settings: section<object>({}),
  open: () => ({
    name: 'small',
    folder: null,
    sign: null,
    urlOf: (key) => UPLOADS_PATH + key,
    async put(key) {
      if (kept.size >= room) throw systemError('ENOSPC')
      kept.add(key)
    },
    async delete(keys) {
      for (const key of keys) kept.delete(key)
    },
    async *list() {},
    read: () => Promise.reject(systemError('ENOENT')),
    check: async () => ({ message: 'small', remedy: null }),
    close: () => {},
  }),
}
before(() => Object.assign(storageProviders, { small }))
after(() => Reflect.deleteProperty(storageProviders, 'small'))

const NOTES: readonly SentFile[] = ['a', 'b'].map((name) => ({
  name: `${name}.txt`,
  content: `note ${name}`,
}))

onEachEngine((engine) => {
  let library: LibraryServer
  before(async () => {
    library = await startLibrary(engine)
  })
  after(() => library?.close())
  afterEach(emptyDisk)

  const recorded = async (from: LibraryServer) => (await from.send('GET', '/api/upload/files')).body.length

  const assertFull = ({ status, headers, body }: Awaited<ReturnType<LibraryServer['upload']>>) => {
    assert.equal(status, 503, JSON.stringify(body))
    assert.equal(body.error.name, 'ServiceUnavailableError')
    assert.match(body.error.message, /disk for uploaded files is full/)
    assert.ok(Number(headers.get('retry-after')) > 0)
  }

  for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG'])
    it(`while files are received (${code})`, async () => {
      const before = await recorded(library)
      const storedBefore = library.stored().length
      const image = new Uint8Array(await noise(300, 200).png().toBuffer())
      fillDisk(code)
      assertFull(await library.upload(NOTES))
      assertFull(await library.upload([{ name: 'photo.png', content: image }]))
      assert.deepEqual(
        [library.incoming(), library.stored().length, await recorded(library)],
        [[], storedBefore, before],
      )
      emptyDisk()
      assert.equal((await library.upload(NOTES)).status, 201)
      assert.equal(await recorded(library), before + 2)
    })

  for (const code of ['EROFS', 'EIO', 'EMFILE'])
    it(`while files are received on a disk that has failed (${code})`, async () => {
      const before = await recorded(library)
      fillDisk(code)
      const { status, headers, body } = await library.upload(NOTES)
      assert.equal(status, 503, JSON.stringify(body))
      assert.equal(body.error.message, 'The file could not be stored; try again later')
      assert.ok(Number(headers.get('retry-after')) > 0)
      emptyDisk()
      assert.deepEqual([library.incoming(), await recorded(library)], [[], before])
      assert.equal((await library.upload(NOTES)).status, 201)
    })

  it('while files are received and the folder for uploads is a file: 503, until it is a folder again', async () => {
    const { folder } = library
    renameSync(folder, `${folder}-away`)
    writeFileSync(folder, '')
    assert.equal((await library.upload(NOTES)).status, 503)
    rmSync(folder)
    renameSync(`${folder}-away`, folder)
    assert.equal((await library.upload(NOTES)).status, 201)
  })

  it('while a file is replaced: it stays as it was', async () => {
    const [file] = (await library.upload([{ name: 'kept.txt', content: 'kept' }])).body
    fillDisk('ENOSPC')
    assertFull(await library.upload([{ name: 'new.txt', content: 'new' }], {}, 'full', `?id=${file.id}`))
    emptyDisk()
    assert.equal((await library.send('GET', file.url)).body, 'kept')
  })

  it('while files are moved to storage: none of them is stored', async () => {
    const provider = await startLibrary(engine, { upload: { small: {} } })
    assertFull(await provider.upload(NOTES))
    assert.deepEqual([kept.size, provider.incoming(), await recorded(provider)], [0, [], 0])
    room = 2
    assert.equal((await provider.upload(NOTES)).status, 201)
    assert.equal(kept.size, 2)
    kept.clear()
    room = 1
    await provider.close()
  })
})
