/** Names: of attributes, path segments, uids and tables. */
import { createHash } from 'node:crypto'
import { pluralize } from 'inflection'
import type { ContentType } from './model.ts'

/** Columns and indexes prefix names, and PostgreSQL truncates identifiers to 63 bytes. */
const MAX_NAME_LENGTH = 55

const ATTRIBUTE = /^[A-Za-z_][A-Za-z0-9_]*$/

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const withSnake = (names: readonly string[]) => new Set(names.flatMap((name) => [name, snake(name)]))

const RESERVED_IN_COMPONENTS = withSnake(['id', 'documentId'])

const RESERVED_IN_TYPES = withSnake([
  ...RESERVED_IN_COMPONENTS,
  'createdAt',
  'updatedAt',
  'publishedAt',
  'createdBy',
  'updatedBy',
  'locale',
  'localizations',
  // `sort=_score` ranks the results of a search.
  '_score',
])

/** What is wrong with the name of an attribute; null when it is valid. */
export function nameProblem(name: string, within: 'type' | 'component'): string | null {
  if (name.startsWith('__')) return 'names that start with __ are reserved'
  if (!ATTRIBUTE.test(name))
    return 'a name may only contain letters, digits and _, and cannot start with a digit'
  if (name.length > MAX_NAME_LENGTH) return `a name can have at most ${MAX_NAME_LENGTH} characters`
  const reserved = within === 'type' ? RESERVED_IN_TYPES : RESERVED_IN_COMPONENTS
  return reserved.has(name) ? 'this name is reserved' : null
}

/** The path segment under /api: the plural of collections, the singular of single types. */
export const segmentOf = (type: ContentType) => (type.kind === 'single' ? type.singular : type.plural)

/** Path segments under /api that the server itself uses. */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([
  'auth',
  'batch',
  'i18n',
  'upload',
  'users',
  'users-permissions',
  'openapi.json',
])

/** Whether a folder or file name can be part of a uid. */
export const isUidPart = (text: string) => /^[A-Za-z0-9_][A-Za-z0-9_-]*$/.test(text)

/** The router does not match longer path segments. */
export const MAX_API_ID_LENGTH = 100

/** Whether a name can be a path segment without escaping. */
export const isApiId = (text: string) => /^[A-Za-z][A-Za-z0-9_-]*$/.test(text)

export const defaultPlural = (singular: string) => pluralize(singular)

/** A table name from a collection name: lower snake case, short enough for both engines. */
export function tableName(collectionName: string) {
  const name = collectionName
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
  if (name.length <= MAX_NAME_LENGTH) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, MAX_NAME_LENGTH - 9)}_${hash}`
}

/** Whether a table name is not reserved by the server or the engines. */
export const isFreeTable = (table: string) =>
  /^[a-z0-9_]*[a-z0-9]/.test(table) && !/^(octavo|sqlite|pg)_/.test(table)
