/** The state of a list in its URL, so that a list can be shared and opened again as it was. */
import type { Status } from '../../api/types.ts'
import { type FilterGroup, parseFilterGroup } from '../../filters/filter.ts'

export interface ListSearch {
  readonly q?: string
  readonly filter?: FilterGroup
  readonly status?: Status
  /** Such as `name` or `rating:desc`. */
  readonly sort?: readonly string[]
  readonly columns?: readonly string[]
  readonly locale?: string
}

/** The parameter of the API that selects documents by their status. */
export const STATUS_FILTERS = {
  draft: 'never-published',
  modified: 'modified',
  published: 'unmodified',
} as const

const isStatus = (value: unknown): value is Status =>
  value === 'draft' || value === 'modified' || value === 'published'

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const textList = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every(isText) ? value : undefined

/** Reads the parameters of a URL; what is not valid is ignored. */
export function parseListSearch(search: Readonly<Record<string, unknown>>): ListSearch {
  const { status, locale } = search
  // The router reads a search for digits as a number.
  const q = typeof search.q === 'number' ? String(search.q) : search.q
  const filter = parseFilterGroup(search.filter)
  const sort = textList(search.sort)
  const columns = textList(search.columns)
  return {
    ...(isText(q) && { q }),
    ...(filter && { filter }),
    ...(isStatus(status) && { status }),
    ...(sort && { sort }),
    ...(columns && { columns }),
    ...(isText(locale) && { locale }),
  }
}
