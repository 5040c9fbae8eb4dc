/** Files in a folder of this machine, sent by the server itself under `/uploads`. */
import { access, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { section } from '../../project/config/setting.ts'
import { isStorageKey } from '../files/names.ts'
import {
  MissingContents,
  type Storage,
  type StorageProvider,
  type StorageStatus,
  UPLOADS_PATH,
} from './storage.ts'

/** Has no settings but `upload.directory`, which every provider needs for uploads in progress. */
export const disk: StorageProvider<object> = {
  settings: section<object>({}),
  open: (_settings, folder) => createDiskStorage(folder),
}

export function createDiskStorage(folder: string): Storage {
  const pathOf = (key: string) => {
    if (!isStorageKey(key)) throw new Error(`Invalid storage key: ${key}`)
    return join(folder, key)
  }
  return {
    name: 'local',
    folder,
    sign: null,
    urlOf: (key) => UPLOADS_PATH + key,
    async put(key, path) {
      await mkdir(folder, { recursive: true })
      await sync(path, 'r+')
      await rename(path, pathOf(key))
      // Windows cannot sync a folder.
      if (process.platform !== 'win32') await sync(folder, 'r')
    },
    async delete(keys) {
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
      // Opened here: the error of a stream that nobody listens to yet would end the process.
      const file = await open(pathOf(key)).catch((error: unknown) => {
        const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
        throw isMissing ? new MissingContents(key, error) : error
      })
      return file.createReadStream()
    },
    check: () => checkFolder(folder),
    close: () => {},
  }
}

/** Flushes a file, or the names in a folder, to disk. Windows syncs only what is open for writing. */
async function sync(path: string, mode: 'r' | 'r+'): Promise<void> {
  const file = await open(path, mode)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function checkFolder(folder: string): Promise<StorageStatus> {
  const existing = await nearestExisting(folder)
  try {
    if (!(await stat(existing)).isDirectory()) throw new Error('not a folder')
    await access(existing, constants.W_OK)
    return {
      message: existing === folder ? `${folder} is writable` : `${folder} will be created`,
      remedy: null,
    }
  } catch {
    return {
      message: `${folder} is not writable`,
      remedy: `make ${existing} a folder that the server's user can write to, or set upload.directory`,
    }
  }
}

async function nearestExisting(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null)
  return found || dirname(folder) === folder ? folder : nearestExisting(dirname(folder))
}
