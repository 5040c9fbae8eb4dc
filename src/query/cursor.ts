/**
 * Cursors: a position in the list of a query, encoded for use in a URL. A cursor contains the sort values of the document
 * at the position, so it stays valid when documents are added or deleted, including that one. It is not encrypted: it only
 * contains values that the caller may read.
 */
import { hash } from 'node:crypto'
import { errors } from '../errors.ts'
import { fieldType } from '../plan/field-type.ts'
import type { CursorPosition, Sort } from '../plan/query-tree.ts'
import type { SqlValue } from '../store/statement.ts'
import { addValue, type ParseContext } from './parse-context.ts'

/** The position of a document in a sorted list: its id and its sort values. */
export interface SortPosition {
  readonly id: number
  readonly keys: readonly SqlValue[]
}

/** Whether the page follows or precedes the position, and whether it includes the document there. */
export type CursorDirection = '>' | '>=' | '<' | '<='

const VERSION = 1

const refused = (message: string) => errors.invalidParameter('pagination', 'cursor', message)

/** Servers and proxies limit the length of URLs. */
const MAX_LENGTH = 4_000

const digest = (text: string) => hash('sha256', text, 'base64url').slice(0, 12)

/** A short hash of a query, which its cursors contain. */
export const queryHash = (identity: string) => digest(identity)

export function encodeCursor(query: string, direction: CursorDirection, { id, keys }: SortPosition): string {
  const content = [query, direction, id, keys.map((key) => (typeof key === 'bigint' ? String(key) : key))]
  const cursor = Buffer.from(JSON.stringify([VERSION, digest(JSON.stringify(content)), ...content])).toString(
    'base64url',
  )
  if (cursor.length > MAX_LENGTH) {
    throw refused('the sort value is too long for a cursor; sort by another field')
  }
  return cursor
}

export interface DecodedCursor {
  readonly direction: CursorDirection
  readonly position: SortPosition
}

/** Decodes a cursor of the query with this hash, sorted by these terms. Throws an error that says what is wrong otherwise. */
export function decodeCursor(cursor: string, query: string, terms: readonly Sort[]): DecodedCursor {
  const parts = partsOf(cursor)
  const [version, check, name, direction, id, keys] = parts ?? []
  if (typeof version !== 'number') throw damaged()
  if (version !== VERSION) {
    throw refused(
      'it was created by another version of the server; start again with pagination[cursor]=start',
    )
  }
  if (
    check !== digest(JSON.stringify([name, direction, id, keys])) ||
    !isDirection(direction) ||
    !isId(id) ||
    !Array.isArray(keys)
  ) {
    throw damaged()
  }
  if (name !== query) {
    throw refused(
      'it belongs to another query: type, sort, filters, search, locale, status and permissions must not change',
    )
  }
  const values = terms.map((term, index) => keyOf(term, keys[index])).filter((value) => value !== undefined)
  if (keys.length !== terms.length || values.length !== terms.length) throw damaged()
  return { direction: direction, position: { id, keys: values } }
}

const damaged = () =>
  refused('it is damaged; send it unchanged, or start again with pagination[cursor]=start')

export const positionOf = (
  context: ParseContext,
  { direction, position }: DecodedCursor,
): CursorPosition => ({
  keys: position.keys.map((key) => (key === null ? null : addValue(context, key))),
  id: addValue(context, position.id),
  inclusive: direction === '>=' || direction === '<=',
})

export const isBackward = (direction: CursorDirection) => direction === '<' || direction === '<='

function partsOf(cursor: string): readonly unknown[] | null {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.toString('base64url') !== cursor) return null
  try {
    const parts: unknown = JSON.parse(bytes.toString())
    return Array.isArray(parts) ? parts : null
  } catch {
    return null
  }
}

const isDirection = (value: unknown): value is CursorDirection =>
  value === '>' || value === '>=' || value === '<' || value === '<='
const isId = (value: unknown): value is number => Number.isSafeInteger(value)

/** The sort value in a cursor; undefined when it is not a value of the field's type. */
function keyOf({ field }: Sort, key: unknown): SqlValue | undefined {
  return key === null ? null : fieldType(field).parseSortKey(key)
}

export interface Cursors {
  readonly next: string | null
  readonly previous: string | null
}

/** A page that is requested by cursor. */
export interface CursorPage {
  readonly query: string
  /** Null at the start of the list. */
  readonly from: DecodedCursor | null
  /** The number of sort values before the id. */
  readonly keyCount: number
}
