/** What reads return. */
import type { Cursors } from '../query/cursor.ts'
import type { Page } from '../query/pagination.ts'
import type { VersionStamp } from './response-cache.ts'

export interface ListResult {
  /** JSON of the list. */
  readonly data: string
  /** The same JSON as it was read, and what is before and after it, if it is not joined yet: joining it makes a copy. */
  readonly parts?: readonly [open: string, read: string, close: string]
  readonly page: Page
  /** Null when no count was requested. */
  readonly total: number | null
  /** Null unless the page was requested by cursor. */
  readonly cursors: Cursors | null
  /** Populated paths that were left out because the caller may not see them. */
  readonly omitted: readonly string[]
  readonly stamp: VersionStamp
}

export interface DocumentResult {
  /** JSON of the document. */
  readonly data: string
  /** Identifies the version, for If-Match. */
  readonly version: string
  readonly omitted: readonly string[]
  readonly stamp: VersionStamp
}

/** The JSON that a plan returned. */
export function jsonOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('A plan must return JSON as a string')
  return value
}
