/** Records of media files: where their bytes are stored here, and their folder. */
import { createHash } from 'node:crypto'
import type { Fields } from '../../documents/transfer/archive-line.ts'
import { isStorageKey, parseFolderPath } from '../../media/files/names.ts'
import type { Storage } from '../../media/storage/storage.ts'
import { type ContentType, FILE } from '../../model/model.ts'
import { isObject } from '../../project/values.ts'
import type { Overview } from './overview.ts'
import type { Scratch } from './scratch.ts'

/** The router does not match longer path segments. */
const MAX_KEY_LENGTH = 100

/** The storage key of a file of the export: its name, if that can be a key. */
export function storageKeyOf(name: string): string {
  if (name.length <= MAX_KEY_LENGTH && isStorageKey(name)) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16)
  const [, base = name, extension = ''] = /^(.*?)(?:\.([A-Za-z0-9]{1,10}))?$/s.exec(name) ?? []
  const readable = base
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^[_-]+/, '')
    .slice(0, 60)
  return `${readable || 'file'}_${digest}.${extension || 'bin'}`
}

/**
 * Gives the records of files whose bytes are in the export the urls of this storage. Others keep their url, which may lead
 * to a storage service.
 */
export const relocateFiles =
  (scratch: Scratch, storage: Pick<Storage, 'name' | 'urlOf'>) =>
  ({ uid }: ContentType, values: Fields): Fields => {
    if (uid !== FILE) return values
    const relocate = (record: Fields): Fields => {
      const name = fileNameOf(record)
      if (name === null || scratch.fileSize(name) === null) return record
      const url = storage.urlOf(storageKeyOf(name))
      return 'provider' in record ? { ...record, url, provider: storage.name } : { ...record, url }
    }
    const { formats } = values
    return {
      ...relocate(values),
      ...(isObject(formats) && {
        formats: Object.fromEntries(
          Object.entries(formats).map(([name, format]) => [
            name,
            isObject(format) ? relocate(format) : format,
          ]),
        ),
      }),
    }
  }

/** The name of a file in the export. */
export const fileNameOf = ({ hash, ext }: Fields): string | null =>
  typeof hash === 'string' ? `${hash}${typeof ext === 'string' ? ext : ''}` : null

/** The folder of a file by the names of its folders. Strapi stores numbers: `/1/4`. */
export function folderPathOf(path: unknown, folders: ReadonlyMap<string, string>): string | null {
  if (typeof path !== 'string' || path === '/') return null
  const parts = path.split('/').filter((part) => part !== '')
  const names = parts.map((_, depth) => folderName(folders.get(`/${parts.slice(0, depth + 1).join('/')}`)))
  try {
    return names.every((name) => name !== null) ? parseFolderPath(names.join('/')) : null
  } catch {
    return null
  }
}

/** The paths of all folders, including those without files. */
export const importedFolders = ({ folders }: Pick<Overview, 'folders'>): string[] =>
  [...folders.keys()].flatMap((path) => folderPathOf(path, folders) ?? [])

const folderName = (name: string | undefined) =>
  name === undefined
    ? null
    : name
        .replace(/[/\\\p{Cc}]/gu, '-')
        .replace(/^\.+/, '')
        .slice(0, 100)
        .trim() || null
