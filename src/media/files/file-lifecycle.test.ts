import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { bothEngines } from '../../../test/support/engines.ts'
import { modelOfTypes } from '../../../test/support/models.ts'
import { errors } from '../../errors.ts'
import { UnknownOutcome } from '../../store/errors.ts'
import { migrate } from '../../store/migration/migrate.ts'
import { openStore } from '../../store/open.ts'
import { createDiskStorage } from '../storage/disk.ts'
import { createFileLifecycle } from './file-lifecycle.ts'

const KEY = 'note_0.txt'

const [sqlite] = bothEngines()

it('a file whose record could not be written is deleted, unless the record may be stored later', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-lifecycle-'))
  t.after(() => rm(folder, { recursive: true }))
  const store = await openStore(await sqlite.freshUrl())
  t.after(() => store.close())
  const { layout } = await migrate(store, modelOfTypes({}))
  const storage = createDiskStorage(join(folder, 'uploads'))

  /** The files that are stored after the write of their record has failed. */
  async function storedAfter(failure: Error): Promise<readonly string[]> {
    const lifecycle = createFileLifecycle({
      store: { ...store, write: () => Promise.reject(failure) },
      layout: () => layout,
      storage,
      log: { warn: (message) => assert.fail(message) },
    })
    const path = join(folder, 'incoming')
    await writeFile(path, 'text')
    const prepared = { attributes: { hash: 'note_0' }, contents: [{ key: KEY, path }] }
    await assert.rejects(
      lifecycle.storeThen([prepared], async () => {}),
      failure,
    )
    const stored: string[] = []
    for await (const { key } of storage.list()) stored.push(key)
    return stored
  }

  assert.deepEqual(await storedAfter(errors.unavailable(1, 'Database unavailable')), [])
  assert.deepEqual(await storedAfter(new UnknownOutcome()), [KEY])
})
