import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { createDiskStorage } from './disk.ts'
import { createStaging } from './staging.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-staging-'))
})
after(() => rm(folder, { recursive: true }))

test('files that were not stored are deleted with their stage', async () => {
  const staging = join(folder, 'a', '.incoming')
  const storage = createDiskStorage(join(folder, 'a'))
  const stage = createStaging(staging).open()
  const kept = await stage.receive(Readable.from(['kept']))
  await stage.receive(Readable.from(['left']))
  await storage.put('kept_0.txt', kept.path)
  await stage.clear()
  assert.deepEqual(await readdir(staging), [])
  assert.equal(await readFile(join(folder, 'a', 'kept_0.txt'), 'utf8'), 'kept')
  const stored: string[] = []
  for await (const { key } of storage.list()) stored.push(key)
  assert.deepEqual(stored, ['kept_0.txt'])
})

test('a broken stream leaves nothing once the stage is cleared', async () => {
  const staging = join(folder, 'b')
  const stage = createStaging(staging).open()
  const broken = Readable.from(
    (async function* () {
      yield 'first half'
      throw new Error('connection lost')
    })(),
  )
  await assert.rejects(stage.receive(broken), /connection lost/)
  await stage.clear()
  assert.deepEqual(await readdir(staging), [])
})

test('files of a crashed process are deleted, those of a running one are not', async () => {
  const folderOfBoth = join(folder, 'c')
  const staging = createStaging(folderOfBoth)
  const fresh = await staging.open().receive(Readable.from(['fresh']))
  const old = join(folderOfBoth, 'old')
  await writeFile(old, 'old')
  await utimes(old, 1, 1)
  assert.equal(await staging.removeStale(), 1)
  assert.deepEqual(await readdir(folderOfBoth), [fresh.path.split('/').at(-1)])
})

test('disk storage rejects a key that is a path', async () => {
  const storage = createDiskStorage(join(folder, 'd'))
  const stage = createStaging(join(folder, 'd', '.incoming')).open()
  const { path } = await stage.receive(Readable.from(['x']))
  await assert.rejects(storage.put('../escaped.txt', path), /Invalid storage key/)
  await assert.rejects(storage.delete(['../../etc/passwd.txt']), /Invalid storage key/)
  await assert.rejects(storage.read('/etc/passwd'), /Invalid storage key/)
})

test('creating the folder is retried with the next file', async () => {
  const staging = join(folder, 'later', '.incoming')
  await writeFile(join(folder, 'later'), 'not a folder')
  const stage = createStaging(staging).open()
  await assert.rejects(stage.receive(Readable.from(['first'])))
  await rm(join(folder, 'later'))
  const { path } = await stage.receive(Readable.from(['second']))
  assert.equal(await readFile(path, 'utf8'), 'second')
})
