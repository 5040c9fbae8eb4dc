/** The contents of a file that is deleted or replaced are deleted from a storage that fails, once it works again. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { listJobs, retryNow } from '../../src/jobs/list.ts'
import { storageProviders } from '../../src/media/storage/providers.ts'
import { type StorageProvider, UPLOADS_PATH } from '../../src/media/storage/storage.ts'
import { section } from '../../src/project/config/setting.ts'
import { onEachEngine } from '../support/engines.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type LibraryServer, startLibrary } from './library-server.ts'
import { plain } from './test-images.ts'

const kept = new Set<string>()
let isFailing = false

/** Deletes nothing while `isFailing`. */
const stubborn: StorageProvider<object> = {
  settings: section<object>({}),
  open: () => ({
    name: 'stubborn',
    folder: null,
    sign: null,
    urlOf: (key) => UPLOADS_PATH + key,
    put: async (key) => void kept.add(key),
    async delete(keys) {
      if (isFailing) throw new Error('not now')
      for (const key of keys) kept.delete(key)
    },
    async *list() {},
    read: () => Promise.reject(new Error('not read')),
    check: async () => ({ message: 'stubborn', remedy: null }),
    close: () => {},
  }),
}
before(() => Object.assign(storageProviders, { stubborn }))
after(() => Reflect.deleteProperty(storageProviders, 'stubborn'))

onEachEngine((engine) => {
  let library: LibraryServer
  before(async () => {
    library = await startLibrary(engine, { upload: { stubborn: {} } })
  })
  after(() => library.close())
  beforeEach(() => {
    kept.clear()
    isFailing = false
  })

  const jobs = async () =>
    (await listJobs(library.server.store, 100)).filter(({ kind }) => kind === 'files.delete')
  const uploaded = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
    const { status, body } = await library.upload([{ name, content }])
    assert.equal(status, 201, JSON.stringify(body))
    return body[0]
  }

  /** Runs the job as it runs when it is due. */
  async function runJobs() {
    for (const { id } of await jobs()) assert.ok(await retryNow(library.server.store, id))
    await waitUntil(async () => (await jobs()).length === 0)
  }

  test('a file is deleted immediately, and no job remains', async () => {
    const { id } = await uploaded('a.txt', 'content')
    assert.equal((await library.send('DELETE', `/api/upload/files/${id}`)).status, 200)
    assert.deepEqual([...kept], [])
    assert.deepEqual(await jobs(), [])
  })

  test('contents that could not be deleted are deleted later, with all formats of an image', async () => {
    const content = new Uint8Array(await plain(600, 400).png().toBuffer())
    const { id } = await uploaded('wide.png', content)
    assert.ok(kept.size > 1)
    isFailing = true
    assert.equal((await library.send('DELETE', `/api/upload/files/${id}`)).status, 200)
    assert.equal((await library.send('GET', `/api/upload/files/${id}`)).status, 404)
    assert.ok(kept.size > 1)
    isFailing = false
    await runJobs()
    assert.deepEqual([...kept], [])
  })

  test('so are those of several files, and contents that were replaced', async () => {
    const ids = [(await uploaded('a.txt', 'first')).id, (await uploaded('b.txt', 'second')).id]
    const { id: replaced } = await uploaded('c.txt', 'third')
    isFailing = true
    const { status } = await library.send('POST', '/api/upload/files/delete', 'full', { files: ids })
    assert.equal(status, 200)
    const change = await library.upload([{ name: 'd.txt', content: 'fourth' }], {}, 'full', `?id=${replaced}`)
    assert.equal(change.status, 200)
    assert.equal(kept.size, 4)
    isFailing = false
    await runJobs()
    assert.deepEqual([...kept], [`${change.body.hash}.txt`])
  })

  test('contents that belong to a file again, as after an import, are kept', async () => {
    const content = new Uint8Array(await plain(600, 400).png().toBuffer())
    await uploaded('wide.png', content)
    const keys = [...kept]
    assert.ok(keys.length > 1)
    kept.add('old_1.txt')
    await library.server.store.write(async (transaction) => {
      enqueue(transaction, {
        kind: 'files.delete',
        key: 'earlier',
        payload: { keys: [...keys, 'old_1.txt'] },
      })
    })
    await waitUntil(async () => (await jobs()).length === 0)
    assert.deepEqual([...kept], keys)
  })

  test('a request that is refused deletes nothing later', async () => {
    const { id } = await uploaded('a.txt', 'content')
    isFailing = true
    const { status } = await library.send('POST', '/api/upload/files/delete', 'full', {
      files: [id, 999_999],
    })
    assert.equal(status, 404)
    assert.deepEqual(await jobs(), [])
    assert.equal(kept.size, 1)
  })
})
