/** The state of the library in its URL, and the parameters of the API for it. */
import type { FileParameters } from '../api/media.ts'

export const KINDS = ['image', 'video', 'audio', 'document'] as const
export const SIZES = ['small', 'medium', 'large'] as const
export const DATES = ['day', 'week', 'month', 'year'] as const
export const SORTS = ['id:desc', 'id:asc', 'name:asc', 'size:desc'] as const

export interface MediaSearch {
  readonly folder?: string
  readonly q?: string
  readonly kind?: (typeof KINDS)[number]
  readonly size?: (typeof SIZES)[number]
  readonly date?: (typeof DATES)[number]
  readonly unused?: true
  readonly sort?: (typeof SORTS)[number]
  readonly view?: 'list'
  /** The documentId of the file whose details are shown. */
  readonly file?: string
}

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((each) => each === value)

/** Reads the parameters of a URL; what is not valid is ignored. */
export function parseMediaSearch(search: Readonly<Record<string, unknown>>): MediaSearch {
  // The router reads a search for digits as a number.
  const q = typeof search.q === 'number' ? String(search.q) : search.q
  const kind = oneOf(KINDS, search.kind)
  const size = oneOf(SIZES, search.size)
  const date = oneOf(DATES, search.date)
  const sort = oneOf(SORTS, search.sort)
  const { folder, file } = search
  return {
    ...(typeof folder === 'string' && folder.startsWith('/') && folder !== '/' && { folder }),
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(kind && { kind }),
    ...(size && { size }),
    ...(date && { date }),
    ...(search.unused === true && { unused: true }),
    ...(sort && sort !== 'id:desc' && { sort }),
    ...(search.view === 'list' && { view: 'list' }),
    ...(typeof file === 'string' && file !== '' && { file }),
  }
}

/** Whether the files are searched for in all folders. */
export const isSearching = ({ q, kind, size, date, unused }: MediaSearch): boolean =>
  [q, kind, size, date, unused].some((value) => value !== undefined)

const startsWith = (type: string) => ({ mime: { $startsWith: `${type}/` } })

const KIND_FILTERS: Readonly<Record<(typeof KINDS)[number], object>> = {
  image: startsWith('image'),
  video: startsWith('video'),
  audio: startsWith('audio'),
  document: { $not: { $or: [startsWith('image'), startsWith('video'), startsWith('audio')] } },
}

/** Selects the files that a media attribute accepts: all, those of a kind, or those that a filter describes. */
export function allowedParameters(allowedTypes: readonly string[]): {
  readonly kind?: string
  readonly filter?: object
} {
  const allowed = KINDS.filter((kind) => allowedTypes.includes(ALLOWED[kind]))
  const [only] = allowed
  if (only === undefined || allowed.length === KINDS.length) return {}
  if (allowed.length === 1) return { kind: kindParameter(only) }
  return { filter: { $or: allowed.map((kind) => KIND_FILTERS[kind]) } }
}

/** The parameter of the API calls documents files. */
const kindParameter = (kind: (typeof KINDS)[number]) => (kind === 'document' ? 'file' : kind)

/** The names of kinds in `allowedTypes`. */
const ALLOWED: Readonly<Record<(typeof KINDS)[number], string>> = {
  image: 'images',
  video: 'videos',
  audio: 'audios',
  document: 'files',
}

/** In kilobytes. */
const SIZE_FILTERS: Readonly<Record<(typeof SIZES)[number], object>> = {
  small: { size: { $lt: 1000 } },
  medium: { size: { $gte: 1000, $lte: 10_000 } },
  large: { size: { $gt: 10_000 } },
}

const DAYS: Readonly<Record<(typeof DATES)[number], number>> = { day: 1, week: 7, month: 30, year: 365 }

/** The time at which a period began; to the hour, so that the same request is not made again and again. */
const startOf = (date: (typeof DATES)[number], now: number) => {
  const hour = 3_600_000
  return new Date(Math.floor(now / hour) * hour - DAYS[date] * 24 * hour).toISOString()
}

export function fileParameters(search: MediaSearch, now = Date.now()): FileParameters {
  const { folder = '/', q, kind, size, date, unused, sort = 'id:desc' } = search
  const filters = [
    ...(size ? [SIZE_FILTERS[size]] : []),
    ...(date ? [{ createdAt: { $gte: startOf(date, now) } }] : []),
    ...(q === undefined
      ? []
      : [{ $or: ['name', 'alternativeText', 'caption'].map((name) => ({ [name]: { $containsi: q } })) }]),
  ]
  return {
    sort,
    ...(!isSearching(search) && { folder }),
    ...(filters.length > 0 && { filters: { $and: filters } }),
    ...(kind && { kind: kindParameter(kind) }),
    ...(unused && { unused: 'true' }),
  }
}

/** The folders from the root to one, with their names. */
export function pathTo(folder: string): readonly { readonly path: string; readonly name: string }[] {
  const names = folder.split('/').filter((name) => name !== '')
  return names.map((name, index) => ({ name, path: `/${names.slice(0, index + 1).join('/')}` }))
}

export const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/'

/** A folder inside another. */
export const childOf = (parent: string, name: string) => (parent === '/' ? `/${name}` : `${parent}/${name}`)
