import assert from 'node:assert/strict'
import fs from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createDiskStorage } from './disk.ts'

const refuse = async () => {
  throw Object.assign(new Error('EPERM: operation not permitted, fsync'), { code: 'EPERM' })
}

/** Windows lets nobody sync what they may only read, nor open a folder. */
function asOnWindows(t: TestContext) {
  const platform = process.platform
  const real = fs.promises.open
  t.mock.method(fs.promises, 'open', async (...args: Parameters<typeof real>) => {
    const file = await real(...args)
    const [, flags = 'r'] = args
    return flags === 'r' ? Object.assign(file, { sync: refuse }) : file
  })
  syncBuiltinESMExports()
  Object.defineProperty(process, 'platform', { value: 'win32' })
  t.after(() => {
    Object.defineProperty(process, 'platform', { value: platform })
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
}

async function stored(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-disk-'))
  t.after(() => rm(folder, { recursive: true }))
  const incoming = join(folder, 'incoming')
  await writeFile(incoming, 'text')
  await createDiskStorage(join(folder, 'uploads')).put('kept_0.txt', incoming)
  return readFile(join(folder, 'uploads', 'kept_0.txt'), 'utf8')
}

test('a file is stored', async (t) => {
  assert.equal(await stored(t), 'text')
})

test('a file is stored on a platform that syncs only files open for writing', async (t) => {
  asOnWindows(t)
  assert.equal(await stored(t), 'text')
})
