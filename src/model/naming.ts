/** Names: which an attribute may have, the plural of a type, and the table it gets. */
import { createHash } from 'node:crypto'
import { pluralize } from 'inflection'

/** Names are prefixed in columns and indexes, and PostgreSQL cuts identifiers at 63 bytes. */
const LONGEST_NAME = 55

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
])

/** What is wrong with the name of an attribute, or null. */
export function nameProblem(name: string, within: 'type' | 'component'): string | null {
  if (name.startsWith('__')) return 'names that start with __ are reserved'
  if (!ATTRIBUTE.test(name)) return 'a name has letters, digits and _, and does not start with a digit'
  if (name.length > LONGEST_NAME) return `a name has at most ${LONGEST_NAME} characters`
  const reserved = within === 'type' ? RESERVED_IN_TYPES : RESERVED_IN_COMPONENTS
  return reserved.has(name) ? 'this name is reserved' : null
}

/** Path segments under /api that the server uses itself. */
export const TAKEN_SEGMENTS: ReadonlySet<string> = new Set([
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

/** Whether a text can be the API id of a type: one path segment, readable as it is. */
export const isApiId = (text: string) => /^[A-Za-z][A-Za-z0-9_-]*$/.test(text)

export const defaultPlural = (singular: string) => pluralize(singular)

/** A table name from a collection name: lower snake case, short enough for either engine. */
export function tableName(collectionName: string) {
  const name = collectionName
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
  if (name.length <= LONGEST_NAME) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, LONGEST_NAME - 9)}_${hash}`
}

/** Whether a table name is free for content: the server and the databases keep some to themselves. */
export const isFreeTable = (table: string) =>
  /^[a-z0-9_]*[a-z0-9]/.test(table) && !/^(octavo|sqlite|pg)_/.test(table)
