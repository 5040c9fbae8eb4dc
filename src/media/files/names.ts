/** Names in the library: what people see, what storage uses, and the folders people sort files into. */
import { randomBytes } from 'node:crypto'
import { errors } from '../../errors.ts'

const MAX_NAME_LENGTH = 255
const MAX_FOLDER_DEPTH = 10

/** The name people see of a file that was sent: the last part of the sender's path, fit to print. */
export const displayName = (given: string | undefined): string =>
  printable((given ?? '').split(/[/\\]/).at(-1) ?? '') || 'file'

/** A name without control characters, marks that turn text around, or excess length. */
export const printable = (given: string): string =>
  shorten(given.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '').trim(), MAX_NAME_LENGTH)

/** Cuts text to a number of UTF-16 units without tearing a character apart. */
function shorten(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}

/**
 * A name in storage: readable, but ours. Its random part makes addresses impossible to guess and lets a name
 * stand for the same bytes for ever.
 */
export function storageName(name: string): string {
  const readable = name
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 60)
    .replace(/^_+|_+$/g, '')
  return `${readable || 'file'}_${randomBytes(8).toString('hex')}`
}

/** What every name in storage looks like: no path, no leading dot, one extension. */
export const isStorageKey = (text: string) => /^[a-z0-9][a-z0-9_-]{0,200}\.[a-z0-9.]{1,10}$/i.test(text)

/** A folder of the library from what a caller wrote: `menus/2024` is `/menus/2024`, nothing is `/`. */
export function parseFolderPath(given: string): string {
  const parts = given.split('/').map((part) => part.trim())
  const named = parts.filter((part) => part !== '')
  const wrong = named.find((part) => /^\.|[\p{Cc}\\]/u.test(part) || part.length > 100)
  if (wrong !== undefined || named.length > MAX_FOLDER_DEPTH) {
    throw errors.invalid(
      `A folder is written /like/this, at most ${MAX_FOLDER_DEPTH} names deep, and no name begins with a dot`,
    )
  }
  return `/${named.join('/')}`
}
