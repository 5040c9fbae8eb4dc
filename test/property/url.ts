/** Writes a query as a URL, in one of several equivalent forms. */
import { stringify } from 'qs'
import type { Json } from '../reference/recording.ts'
import { endpointOf, type RandomModel, uidOf } from './random-model.ts'
import type { Filter, Populate, Publication, ReadQuery, Select, SortKey } from './read-query.ts'

export function urlOf(query: ReadQuery, model: RandomModel, documentIdOf: (key: string) => string): string {
  const type = model.types.find(({ name }) => name === query.type)
  if (!type) throw new Error(`No type ${query.type}`)
  const style = new Style(query.style, documentIdOf)
  const queryString = stringify({
    ...(query.status ? { status: query.status } : {}),
    ...(query.locale ? { locale: query.locale } : {}),
    ...(query.filters && query.documentKey === null ? { filters: style.filters(query.filters) } : {}),
    ...(query.search && query.documentKey === null ? { _q: query.search } : {}),
    ...(query.publication && query.documentKey === null && !type.single
      ? style.publication(query.publication)
      : {}),
    ...(query.sort.length > 0 && !type.single ? { sort: style.sort(query.sort) } : {}),
    ...(query.pagination && query.documentKey === null && !type.single
      ? { pagination: { ...query.pagination, kind: undefined } }
      : {}),
    ...style.select(query.select, true),
  })
  const path = endpointOf(type) + (query.documentKey === null ? '' : `/${documentIdOf(query.documentKey)}`)
  return queryString === '' ? path : `${path}?${queryString}`
}

type Written = Json | undefined | { [key: string]: Written } | Written[]

class Style {
  readonly #style: number
  readonly #documentIdOf: (key: string) => string

  constructor(style: number, documentIdOf: (key: string) => string) {
    this.#style = style
    this.#documentIdOf = documentIdOf
  }

  /** Whether to write the shorter of two forms; each choice has its own bit. */
  #short(bit: number) {
    return ((this.#style >> bit) & 1) === 1
  }

  filters(filter: Filter): { [key: string]: Written } {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return { [`$${filter.kind}`]: filter.of.map((part) => this.filters(part)) }
      case 'not': {
        const { of } = filter
        const inside = this.#short(0) && of.kind === 'field'
        return inside ? { [of.name]: { $not: this.#test(of) } } : { $not: this.filters(of) }
      }
      case 'through':
        return { [filter.name]: this.filters(filter.of) }
      case 'empty':
        return {
          [filter.name]: this.#short(1) ? { $notNull: String(!filter.is) } : { $null: String(filter.is) },
        }
      case 'field': {
        const [only] = filter.values
        const bare = this.#short(0) && filter.operator === '$eq' && filter.values.length === 1
        return { [filter.name]: bare ? this.#value(filter.name, only ?? null) : this.#test(filter) }
      }
    }
  }

  #test({ name, operator, values }: Extract<Filter, { kind: 'field' }>): { [key: string]: Written } {
    const written = values.map((value) => this.#value(name, value))
    const list = operator === '$in' || operator === '$notIn' || written.length > 1
    return { [operator]: list ? written : written[0] }
  }

  #value(name: string, value: Json): string {
    return name === 'documentId' ? this.#documentIdOf(String(value)) : String(value)
  }

  publication(name: Publication): { [key: string]: Written } {
    if (!this.#short(2) || name.endsWith('-document')) return { publicationFilter: name }
    return { hasPublishedVersion: name === 'has-published-version' ? 'true' : 'false' }
  }

  sort(keys: readonly SortKey[]): Written {
    const words = keys.map(({ path, descending }) => `${path.join('.')}${orderOf(path, descending)}`)
    if (this.#short(2)) return words.join(',')
    const [only] = keys
    if (!only || keys.length > 1) return words
    return only.path.reduceRight<Written>(
      (inner, name) => ({ [name]: inner }),
      only.descending ? 'desc' : 'asc',
    )
  }

  select({ fields, populate }: Select, top: boolean): { [key: string]: Written } {
    return {
      ...(fields === null ? {} : { fields: this.#short(1) ? fields.join(',') : [...fields] }),
      ...(populate.length === 0 ? {} : { populate: this.#populate(populate, top) }),
    }
  }

  #populate(populate: readonly Populate[] | '*', top: boolean): Written {
    if (populate === '*') return '*'
    const names = populate.map((part) => (isPlain(part) ? part.name : null))
    if (this.#short(0) && names.every((name) => name !== null)) {
      // Only the outermost populate splits at commas.
      return top && this.#short(1) ? names.join(',') : names
    }
    return Object.fromEntries(populate.map((part) => [part.name, this.#part(part)]))
  }

  #part(part: Populate): Written {
    switch (part.kind) {
      case 'count':
        return { count: 'true' }
      case 'zone':
        return part.star ? { populate: '*' } : 'true'
      case 'on': {
        const selects = Object.entries(part.on).map(([name, select]) => {
          const written = this.select(select, false)
          const key = name.includes('.') ? name : uidOf(name)
          return [key, Object.keys(written).length > 0 ? written : 'true']
        })
        return { on: Object.fromEntries(selects) }
      }
      case 'nested': {
        const written = {
          ...this.select(part.select, false),
          ...(part.filters === null ? {} : { filters: this.filters(part.filters) }),
          ...(part.sort.length === 0 ? {} : { sort: this.sort(part.sort) }),
          ...(part.start === null ? {} : { start: part.start }),
          ...(part.limit === null ? {} : { limit: part.limit }),
        }
        return Object.keys(written).length > 0 ? written : 'true'
      }
    }
  }
}

/** The default is ascending, and descending for scores. */
const orderOf = ([name]: readonly string[], descending: boolean) =>
  name === '_score' ? (descending ? '' : ':asc') : descending ? ':desc' : ''

const isPlain = (part: Populate) =>
  part.kind === 'zone'
    ? !part.star
    : part.kind === 'nested' &&
      part.select.fields === null &&
      part.select.populate.length === 0 &&
      part.filters === null &&
      part.sort.length === 0 &&
      part.start === null &&
      part.limit === null
