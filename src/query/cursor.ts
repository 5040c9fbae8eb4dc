/**
 * Cursors: a place in the list that a query asks for, written so that it can travel in a URL. A cursor holds what the
 * document at that place is sorted by, so it stays right when documents come and go, that one included. It is a bookmark
 * and no secret: it holds values that its holder may read, and asks for nothing the holder could not ask for.
 */
import { hash } from 'node:crypto'
import { errors } from '../errors.ts'
import { fieldType } from '../plan/field-type.ts'
import type { CursorPosition, Sort } from '../plan/query-tree.ts'
import type { SqlValue } from '../store/statement.ts'
import { addValue, type ParseContext } from './parse-context.ts'

/** A document as a place: its id and what it is sorted by. */
export interface SortPosition {
  readonly id: number
  readonly keys: readonly SqlValue[]
}

/** Where to go from a mark: to what follows or to what comes before, with the document itself or without. */
export type CursorDirection = '>' | '>=' | '<' | '<='

const VERSION = 1

const refused = (message: string) => errors.invalidParameter('pagination', 'cursor', message)

/** A URL must fit into what servers and proxies take. */
const LONGEST = 4_000

const digest = (text: string) => hash('sha256', text, 'base64url').slice(0, 12)

/** The short name of what a query asks, which its cursors carry. */
export const queryName = (identity: string) => digest(identity)

/** Writes a cursor for the query with this name. */
export function encodeCursor(query: string, way: CursorDirection, { id, keys }: SortPosition): string {
  const place = [query, way, id, keys.map((key) => (typeof key === 'bigint' ? String(key) : key))]
  const cursor = Buffer.from(JSON.stringify([VERSION, digest(JSON.stringify(place)), ...place])).toString(
    'base64url',
  )
  if (cursor.length > LONGEST) {
    throw refused('the documents are sorted by a text that is too long for a cursor; sort by another field')
  }
  return cursor
}

/** A cursor as it was written: the way to go, and the mark to go from. */
export interface DecodedCursor {
  readonly direction: CursorDirection
  readonly position: SortPosition
}

/** Reads a cursor of the query with this name, sorted by these terms. Anything else is refused, and told apart. */
export function decodeCursor(cursor: string, query: string, terms: readonly Sort[]): DecodedCursor {
  const parts = partsOf(cursor)
  const [version, check, name, way, id, keys] = parts ?? []
  if (typeof version !== 'number') throw damaged()
  if (version !== VERSION) {
    throw refused('it was made by another version of the server; begin with pagination[cursor]=start')
  }
  if (
    check !== digest(JSON.stringify([name, way, id, keys])) ||
    !isWay(way) ||
    !isId(id) ||
    !Array.isArray(keys)
  ) {
    throw damaged()
  }
  if (name !== query) {
    throw refused(
      'it belongs to another query: type, sort, filters, search, locale, status and what you may see must be as they were',
    )
  }
  const values = terms.map((term, index) => keyOf(term, keys[index])).filter((value) => value !== undefined)
  if (keys.length !== terms.length || values.length !== terms.length) throw damaged()
  return { direction: way, position: { id, keys: values } }
}

const damaged = () =>
  refused('it is damaged; send it as it was given, or begin with pagination[cursor]=start')

/** The position of a mark in a query tree. */
export const positionOf = (
  context: ParseContext,
  { direction: way, position: mark }: DecodedCursor,
): CursorPosition => ({
  keys: mark.keys.map((key) => (key === null ? null : addValue(context, key))),
  id: addValue(context, mark.id),
  inclusive: way === '>=' || way === '<=',
})

export const isBackward = (way: CursorDirection) => way === '<' || way === '<='

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

const isWay = (value: unknown): value is CursorDirection =>
  value === '>' || value === '>=' || value === '<' || value === '<='
const isId = (value: unknown): value is number => Number.isSafeInteger(value)

/** A key as a value that compares with the field of a term; undefined when it is none. */
function keyOf({ field }: Sort, key: unknown): SqlValue | undefined {
  return key === null ? null : fieldType(field).parseSortKey(key)
}

export interface Cursors {
  readonly next: string | null
  readonly previous: string | null
}

/** How a walk goes on: which query it belongs to, and from where it was read. */
export interface CursorPage {
  readonly query: string
  /** Null at the beginning. */
  readonly from: DecodedCursor | null
  /** How many values a document is sorted by before its id. */
  readonly keyCount: number
}
