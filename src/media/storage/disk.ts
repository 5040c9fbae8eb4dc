/** Files in a folder of this machine, served by this server under `/uploads`. */
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isStorageKey } from '../files/names.ts'
import type { Storage } from './storage.ts'

/** The path under which the server serves stored files. */
export const UPLOADS_PATH = '/uploads/'

/** Storage in `folder`. */
export function createDiskStorage(folder: string): Storage {
  const pathOf = (key: string) => {
    if (!isStorageKey(key)) throw new Error(`Not a name of a stored file: ${key}`)
    return join(folder, key)
  }
  return {
    provider: 'local',
    sign: null,
    urlOf: (key) => UPLOADS_PATH + key,
    async put(key, path) {
      await mkdir(folder, { recursive: true })
      await sync(path, 'r+')
      await rename(path, pathOf(key))
      // Windows lets nobody ask for that: it writes names in its own time.
      if (process.platform !== 'win32') await sync(folder, 'r')
    },
    async remove(keys) {
      await Promise.all(keys.map((key) => rm(pathOf(key), { force: true })))
    },
    async *list() {
      const names = await readdir(folder).catch(() => [])
      for (const name of names) {
        if (!isStorageKey(name)) continue
        const found = await stat(join(folder, name)).catch(() => null)
        if (found?.isFile()) yield { key: name, modifiedAt: found.mtime }
      }
    },
    async read(key) {
      return createReadStream(pathOf(key))
    },
    close: () => {},
  }
}

/** Has the disk keep a file, or the names in a folder, through a loss of power. Windows does so only for those who may write. */
async function sync(path: string, mode: 'r' | 'r+'): Promise<void> {
  const file = await open(path, mode)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
