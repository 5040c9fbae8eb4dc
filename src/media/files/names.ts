/** Names of files: the display name, the storage key, and the folder. */
import { randomBytes } from 'node:crypto'
import { errors } from '../../errors.ts'

const MAX_NAME_LENGTH = 255
const MAX_FOLDER_DEPTH = 10
/** Indexes contain the path of a folder and that of its parent. */
const MAX_FOLDER_LENGTH = 400

/** The last part of the path that the client sent. */
export const displayName = (given: string | undefined): string =>
  printable((given ?? '').split(/[/\\]/).at(-1) ?? '') || 'file'

/** Without control characters and direction marks, and shortened. */
export const printable = (given: string): string =>
  shorten(given.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '').trim(), MAX_NAME_LENGTH)

/** Does not split a surrogate pair. */
function shorten(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}

/** With a format's name (30), the random part (16), separators and an extension, a key stays below the router's 100. */
const MAX_READABLE_LENGTH = 40

/** Readable, with a random part, so that urls cannot be guessed and a key never gets other bytes. */
export function storageName(name: string): string {
  const readable = name
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_READABLE_LENGTH)
    .replace(/^_|_$/g, '')
  return `${readable || 'file'}_${randomBytes(8).toString('hex')}`
}

/** The name of other contents of the same file. What precedes the last part stays, so that former urls lead to the file. */
export const nextStorageName = (hash: string): string =>
  `${stableName(hash)}-${randomBytes(4).toString('hex')}`

/** The part of a storage name that all contents of a file share. */
export const stableName = (hash: string): string => hash.replace(/-[0-9a-f]{8}$/, '')

/** No path, no leading dot, one extension. */
export const isStorageKey = (text: string) => /^[a-z0-9][a-z0-9_-]{0,200}\.[a-z0-9.]{1,10}$/i.test(text)

/** `menus/2024` becomes `/menus/2024`; an empty string becomes `/`. */
export function parseFolderPath(given: string): string {
  const parts = given.split('/').map((part) => part.trim())
  const named = parts.filter((part) => part !== '')
  const wrong = named.find((part) => /^\.|[\p{Cc}\\]/u.test(part) || part.length > 100)
  const path = `/${named.join('/')}`
  const isTooLong = named.length > MAX_FOLDER_DEPTH || path.length > MAX_FOLDER_LENGTH
  if (wrong !== undefined || isTooLong || !path.isWellFormed()) {
    throw errors.invalid(
      `Invalid folder: expected a path such as /menus/2024, at most ${MAX_FOLDER_DEPTH} levels deep and ${MAX_FOLDER_LENGTH} characters long, no name starting with a dot`,
    )
  }
  return path
}
