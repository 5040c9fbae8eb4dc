/**
 * The naive evaluator: keeps content in plain arrays and evaluates queries by iterating over them. It is as simple as
 * possible and uses no SQL; the server must give the same results.
 */
import type { Json } from '../reference/recording.ts'
import { matchesSearch } from './comparison.ts'
import type { Data, Write, WrittenEntry } from './content.ts'
import {
  type ContentNode,
  copyOf,
  copyShared,
  type IdOf,
  isVisible,
  required,
  type Status,
  type View,
} from './content-node.ts'
import { NaiveReader } from './naive-reader.ts'
import { DEFAULT_LOCALE, type RandomModel, type RandomShape, type RandomType } from './random-model.ts'
import type { Filter, Pagination, ReadQuery } from './read-query.ts'

export class NaiveEvaluator {
  readonly #model: RandomModel
  readonly #rows: ContentNode[] = []
  #clock = 0

  constructor(model: RandomModel) {
    this.#model = model
  }

  // ── Writing ──

  /** Every version written so far. */
  versions() {
    return this.#rows.flatMap(({ version }) => version ?? [])
  }

  write({ type: name, key, locale, publish, data }: Write) {
    const type = this.#type(name)
    const status: Status = type.drafts ? 'draft' : 'published'
    const row = this.#row(key, locale, status) ?? this.#addVersion(type, key, locale, status)
    Object.assign(row, this.#merged(row, data))
    this.#shareWithOtherLocales(row)
    if (publish) {
      const published =
        this.#row(key, locale, 'published') ?? this.#addVersion(type, key, locale, 'published')
      Object.assign(published, copyOf(row))
      this.#shareWithOtherLocales(published)
    }
  }

  /** A new locale starts with the values that all locales have in common. */
  #addVersion(type: RandomType, key: string, locale: string, status: Status): ContentNode {
    const row: ContentNode = {
      shape: type,
      scalars: {},
      links: {},
      entries: {},
      version: { type, key, locale, status },
    }
    const other = this.#rows.find(({ version }) => version?.key === key && version.status === status)
    if (other) copyShared(other, row)
    this.#rows.push(row)
    return row
  }

  #shareWithOtherLocales(row: ContentNode) {
    for (const other of this.#rows) {
      if (
        other !== row &&
        other.version?.key === row.version?.key &&
        other.version?.status === row.version?.status
      ) {
        copyShared(row, other)
      }
    }
  }

  #merged(row: Pick<ContentNode, 'scalars' | 'links' | 'entries'>, { scalars, links, entries }: Data) {
    const linked = Object.entries(links).map(([name, keys]) => {
      const before = row.links[name] ?? []
      return [name, keys.map((to) => before.find((link) => link.to === to) ?? { to, since: ++this.#clock })]
    })
    const made = Object.entries(entries).map(([name, list]) => [
      name,
      list.map((entry) => this.#entry(entry)),
    ])
    return {
      scalars: { ...row.scalars, ...scalars },
      links: { ...row.links, ...Object.fromEntries(linked) },
      entries: { ...row.entries, ...Object.fromEntries(made) },
    }
  }

  #entry({ component, data }: WrittenEntry): ContentNode {
    const empty = { scalars: {}, links: {}, entries: {} }
    return { shape: this.#component(component), version: null, ...this.#merged(empty, data) }
  }

  // ── Reading ──

  /** The status and the body that the server should return. */
  evaluate(query: ReadQuery, idOf: IdOf): { status: number; body: Json } {
    const type = this.#type(query.type)
    const locale = (type.localized ? query.locale : null) ?? DEFAULT_LOCALE
    const view: View = { status: query.status ?? 'published', locale }
    const reader = new NaiveReader(this.#rows, idOf)
    const found = this.#rows
      .filter(({ version }) => version !== null && version.type === type && isVisible(version, view))
      .filter((row) => isSelected(row, query, (filter) => reader.matches(row, filter, view)))
      .filter((row) => this.#matchesPublication(row, query))
      .sort(reader.order(query.sort, view, query.search))
    const toJson = (row: ContentNode) => {
      const document = reader.toJson(row, query.select, view)
      return { ...document, meta: {} }
    }
    if (query.documentKey !== null || type.single) {
      const [first] = found
      return first ? { status: 200, body: { data: toJson(first), meta: {} } } : { status: 404, body: null }
    }
    const { page, meta } = paginate(found, query.pagination)
    return { status: 200, body: { data: page.map(toJson), meta: { pagination: meta } } }
  }

  #matchesPublication({ version }: ContentNode, { publication, documentKey }: ReadQuery): boolean {
    if (!version?.type.drafts || version.type.single || publication === null || documentKey !== null)
      return true
    const anyLocale = publication.endsWith('-document')
    const published = this.versions().some(
      ({ key, locale, status }) =>
        key === version.key && status === 'published' && (anyLocale || locale === version.locale),
    )
    return published === publication.startsWith('has-published')
  }

  #type(name: string): RandomType {
    return required(this.#model.types.find((type) => type.name === name))
  }

  #component(name: string): RandomShape {
    return required(this.#model.components.find((component) => component.name === name))
  }

  #row(key: string, locale: string, status: Status) {
    return this.#rows.find(
      ({ version }) => version?.key === key && version.locale === locale && version.status === status,
    )
  }
}

/** Filters do not apply to a document that is read by its key. */
function isSelected(
  row: ContentNode,
  { documentKey, filters, search }: ReadQuery,
  matches: (filter: Filter) => boolean,
) {
  if (documentKey !== null) return row.version?.key === documentKey
  return (filters === null || matches(filters)) && (search === null || matchesSearch(row, search))
}

function paginate(rows: readonly ContentNode[], pagination: Pagination | null) {
  const requested = pagination ?? { kind: 'page', page: 1, pageSize: 25, withCount: true }
  const total = rows.length
  if (requested.kind === 'offset') {
    const { start, limit, withCount } = requested
    return { page: rows.slice(start, start + limit), meta: { start, limit, ...(withCount ? { total } : {}) } }
  }
  const { page, pageSize, withCount } = requested
  const counts = withCount ? { pageCount: Math.ceil(total / pageSize), total } : {}
  return { page: rows.slice((page - 1) * pageSize, page * pageSize), meta: { page, pageSize, ...counts } }
}
