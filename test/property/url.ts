/** Writes a question as a URL, in one of the several ways that mean the same. */
import { stringify } from 'qs'
import type { Json } from '../reference/recording.ts'
import type { Filter, Populate, Publication, Question, Select, SortKey } from './question.ts'
import { endpointOf, uidOf, type World } from './world.ts'

/** Path and query of the request that asks a question. */
export function urlOf(question: Question, world: World, documentIdOf: (key: string) => string): string {
  const type = world.types.find(({ name }) => name === question.type)
  if (!type) throw new Error(`No type ${question.type}`)
  const style = new Style(question.style, documentIdOf)
  const query = stringify({
    ...(question.status ? { status: question.status } : {}),
    ...(question.locale ? { locale: question.locale } : {}),
    ...(question.filters && question.one === null ? { filters: style.filters(question.filters) } : {}),
    ...(question.search && question.one === null ? { _q: question.search } : {}),
    ...(question.publication && question.one === null && !type.single
      ? style.publication(question.publication)
      : {}),
    ...(question.sort.length > 0 && !type.single ? { sort: style.sort(question.sort) } : {}),
    ...(question.pagination && question.one === null && !type.single
      ? { pagination: { ...question.pagination, kind: undefined } }
      : {}),
    ...style.select(question.select, true),
  })
  const path = endpointOf(type) + (question.one === null ? '' : `/${documentIdOf(question.one)}`)
  return query === '' ? path : `${path}?${query}`
}

type Written = Json | undefined | { [key: string]: Written } | Written[]

class Style {
  readonly #style: number
  readonly #documentIdOf: (key: string) => string

  constructor(style: number, documentIdOf: (key: string) => string) {
    this.#style = style
    this.#documentIdOf = documentIdOf
  }

  /** Whether to write the shorter of two forms; each kind of choice looks at another bit. */
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
    const words = keys.map(({ path, descending }) => `${path.join('.')}${descending ? ':desc' : ''}`)
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
      case 'things': {
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

const isPlain = (part: Populate) =>
  part.kind === 'zone'
    ? !part.star
    : part.kind === 'things' &&
      part.select.fields === null &&
      part.select.populate.length === 0 &&
      part.filters === null &&
      part.sort.length === 0 &&
      part.start === null &&
      part.limit === null
