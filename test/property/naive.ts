/**
 * The naive evaluator: content in plain arrays, questions answered by walking over them. It is as obvious as possible
 * and knows nothing of SQL; the server must agree with it.
 */
import type { Json } from '../reference/recording.ts'
import { matchesSearch } from './comparing.ts'
import type { Data, Write, WrittenEntry } from './content.ts'
import type { Filter, Pagination, Question } from './question.ts'
import { Reader } from './reader.ts'
import { copyOf, copyShared, found, type IdOf, isShown, type Status, type Thing, type View } from './thing.ts'
import { DEFAULT_LOCALE, type World, type WorldShape, type WorldType } from './world.ts'

export class Naive {
  readonly #world: World
  readonly #rows: Thing[] = []
  #clock = 0

  constructor(world: World) {
    this.#world = world
  }

  // ── Writing ──

  /** Every version that was written. */
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
  #addVersion(type: WorldType, key: string, locale: string, status: Status): Thing {
    const row: Thing = {
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

  #shareWithOtherLocales(row: Thing) {
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

  #merged(row: Pick<Thing, 'scalars' | 'links' | 'entries'>, { scalars, links, entries }: Data) {
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

  #entry({ component, data }: WrittenEntry): Thing {
    const empty = { scalars: {}, links: {}, entries: {} }
    return { shape: this.#component(component), version: null, ...this.#merged(empty, data) }
  }

  // ── Reading ──

  /** The status and the body of the answer. */
  answer(question: Question, idOf: IdOf): { status: number; body: Json } {
    const type = this.#type(question.type)
    const locale = (type.localized ? question.locale : null) ?? DEFAULT_LOCALE
    const view: View = { status: question.status ?? 'published', locale }
    const reader = new Reader(this.#rows, idOf)
    const found = this.#rows
      .filter(({ version }) => version !== null && version.type === type && isShown(version, view))
      .filter((row) => asked(row, question, (filter) => reader.meets(row, filter, view)))
      .filter((row) => this.#isPublishedAs(row, question))
      .sort(reader.order(question.sort, view))
    const serve = (row: Thing) => {
      const document = reader.serve(row, question.select, view)
      return { ...document, meta: {} }
    }
    if (question.one !== null || type.single) {
      const [first] = found
      return first ? { status: 200, body: { data: serve(first), meta: {} } } : { status: 404, body: null }
    }
    const { page, meta } = paginate(found, question.pagination)
    return { status: 200, body: { data: page.map(serve), meta: { pagination: meta } } }
  }

  #isPublishedAs({ version }: Thing, { publication, one }: Question): boolean {
    if (!version?.type.drafts || version.type.single || publication === null || one !== null) return true
    const anyLocale = publication.endsWith('-document')
    const published = this.versions().some(
      ({ key, locale, status }) =>
        key === version.key && status === 'published' && (anyLocale || locale === version.locale),
    )
    return published === publication.startsWith('has-published')
  }

  #type(name: string): WorldType {
    return found(this.#world.types.find((type) => type.name === name))
  }

  #component(name: string): WorldShape {
    return found(this.#world.components.find((component) => component.name === name))
  }

  #row(key: string, locale: string, status: Status) {
    return this.#rows.find(
      ({ version }) => version?.key === key && version.locale === locale && version.status === status,
    )
  }
}

/** A document that is named is asked for whatever the filters say. */
function asked(row: Thing, { one, filters, search }: Question, meets: (filter: Filter) => boolean) {
  if (one !== null) return row.version?.key === one
  return (filters === null || meets(filters)) && (search === null || matchesSearch(row, search))
}

function paginate(rows: readonly Thing[], pagination: Pagination | null) {
  const asked = pagination ?? { kind: 'page', page: 1, pageSize: 25, withCount: true }
  const total = rows.length
  if (asked.kind === 'offset') {
    const { start, limit, withCount } = asked
    return { page: rows.slice(start, start + limit), meta: { start, limit, ...(withCount ? { total } : {}) } }
  }
  const { page, pageSize, withCount } = asked
  const counts = withCount ? { pageCount: Math.ceil(total / pageSize), total } : {}
  return { page: rows.slice((page - 1) * pageSize, page * pageSize), meta: { page, pageSize, ...counts } }
}
