/** A storage provider is its own file and one line in the list of providers: this one is in the test. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { checkStorage } from '../../src/cli/doctor/environment.ts'
import { storageProblems, storageProviders } from '../../src/media/storage/providers.ts'
import { type StorageProvider, UPLOADS_PATH } from '../../src/media/storage/storage.ts'
import { defaults } from '../../src/project/config/defaults.ts'
import { required, section, string } from '../../src/project/config/setting.ts'
import { onEachEngine } from '../support/engines.ts'
import { serve } from '../support/server.ts'
import { type LibraryServer, startLibrary } from './library-server.ts'

const files = new Map<string, Buffer>()

const memory: StorageProvider<{ readonly label: string }> = {
  settings: section<{ readonly label: string }>({ label: string }, required('label')),
  open: ({ label }) => ({
    name: 'memory',
    folder: null,
    sign: async (key) => `https://${label}.example/${key}`,
    urlOf: (key) => UPLOADS_PATH + key,
    async put(key, path) {
      files.set(key, await readFile(path))
    },
    async delete(keys) {
      for (const key of keys) files.delete(key)
    },
    async *list() {
      for (const key of files.keys()) yield { key, modifiedAt: new Date() }
    },
    read: async (key) => Readable.from([files.get(key)]),
    check: async () => ({ message: `${label} is in memory`, remedy: null }),
    close: () => {},
  }),
}

before(() => Object.assign(storageProviders, { memory }))
after(() => Reflect.deleteProperty(storageProviders, 'memory'))

onEachEngine((engine) => {
  let library: LibraryServer
  before(async () => {
    library = await startLibrary(engine, { upload: { memory: { label: 'ram' } } })
  })
  after(() => library.close())

  test('a file is stored with the configured provider, signed by it, and deleted from it', async () => {
    const [file] = (await library.upload([{ name: 'notes.txt', content: 'Opening notes' }])).body
    const key = `${file.hash}.txt`
    assert.deepEqual([file.provider, file.isUrlSigned], ['memory', true])
    assert.equal(file.url, `https://ram.example/${key}`)
    assert.equal(files.get(key)?.toString(), 'Opening notes')
    const redirect = await library.send('GET', UPLOADS_PATH + key)
    assert.equal(redirect.headers.get('location'), `https://ram.example/${key}`)
    await library.send('DELETE', `/api/upload/files/${file.id}`)
    assert.equal(files.has(key), false)
  })

  test('a server does not start with invalid settings of a provider', async () => {
    const url = await engine.freshUrl()
    await assert.rejects(
      serve(new Map(), url, { upload: { memory: { lable: 'ram' } } }),
      /upload\.memory\.lable: unknown setting "lable"; did you mean "label"\?\n.*upload\.memory\.label: is required/,
    )
  })
})

test('each provider checks its own settings', () => {
  const problemsOf = (sections: Readonly<Record<string, unknown>>) =>
    storageProblems({ ...defaults.upload, ...sections }).map(({ path, message }) => `${path}: ${message}`)
  assert.deepEqual(problemsOf({}), [])
  assert.deepEqual(problemsOf({ s3: null, memory: { label: 'ram' } }), [])
  assert.deepEqual(problemsOf({ s3: { region: 'eu' } }), ['upload.s3.bucket: is required'])
  assert.deepEqual(problemsOf({ imges: {} }), [
    'upload.imges: unknown setting "imges"; did you mean "images"?',
  ])
  assert.match(problemsOf({ constructor: {} }).join(), /^upload\.constructor: /)
  const both = { s3: { bucket: 'a', region: 'eu' }, memory: { label: 'ram' } }
  assert.deepEqual(problemsOf(both), ['upload: selects several storage providers: s3, memory; keep one'])
})

test('the doctor checks the configured provider', async () => {
  const upload = { ...defaults.upload, memory: { label: 'ram' } }
  const finding = await checkStorage({ ...defaults, upload }, '.')
  assert.equal(finding.level, 'ok')
  assert.match(finding.text, /ram is in memory/)
})
