/**
 * The naive evaluator: content in plain arrays, questions answered by walking over them. It is as obvious as possible
 * and knows nothing of SQL; the server must agree with it.
 */
import type { Json, JsonObject } from '../reference/recording.ts'
import type { Data, Write, WrittenEntry } from './content.ts'
import type { Filter, Operator, Pagination, Populate, Question, Select, SortKey } from './question.ts'
import {
  DEFAULT_LOCALE,
  uidOf,
  type World,
  type WorldAttribute,
  type WorldShape,
  type WorldType,
} from './world.ts'

type Status = 'draft' | 'published'

/** A link to a document, and when it was made: the order of the other side. */
interface Link {
  readonly to: string
  readonly since: number
}

/** A version of a document, or an entry of a component inside it. */
interface Thing {
  readonly shape: WorldShape
  scalars: Record<string, Json>
  links: Record<string, readonly Link[]>
  entries: Record<string, readonly Thing[]>
  /** Null on entries. */
  readonly version: {
    readonly type: WorldType
    readonly key: string
    readonly locale: string
    readonly status: Status
  } | null
}

/** Numeric ids are given by the server, so it is asked for them. */
export type IdOf = (key: string, locale: string, status: Status) => number

/** How far a walk has come: which versions it shows. */
interface View {
  readonly status: Status
  readonly locale: string
}

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

/** Walks from thing to thing, as a view shows them. */
class Reader {
  readonly #rows: readonly Thing[]
  readonly #idOf: IdOf

  constructor(rows: readonly Thing[], idOf: IdOf) {
    this.#rows = rows
    this.#idOf = idOf
  }

  /** What a thing's relation, component or zone leads to, in its order. */
  #follow(thing: Thing, name: string, view: View): Thing[] {
    if (name === 'localizations') {
      return this.#rows.filter(
        ({ version }) =>
          version?.key === thing.version?.key &&
          version?.status === thing.version?.status &&
          version?.locale !== thing.version?.locale,
      )
    }
    const attribute = attributeOf(thing, name)
    if (attribute.kind === 'component' || attribute.kind === 'zone') return [...(thing.entries[name] ?? [])]
    if (attribute.kind !== 'relation') return []
    const inner = this.#viewFrom(thing, view)
    const shown = (key: string) =>
      this.#rows.filter(({ version }) => version?.key === key && isShown(version, inner))
    if (attribute.inverseOf === null) return (thing.links[name] ?? []).flatMap(({ to }) => shown(to))
    const owner = attribute.inverseOf
    return this.#rows
      .filter(({ version }) => version?.type.name === attribute.target && isShown(version, inner))
      .flatMap((row) =>
        (row.links[owner] ?? [])
          .filter(({ to }) => to === thing.version?.key)
          .map(({ since }) => ({ row, since })),
      )
      .sort((a, b) => a.since - b.since)
      .map(({ row }) => row)
  }

  /** Below a localized document its locale is shown. */
  #viewFrom({ version }: Thing, view: View): View {
    if (version === null) return view
    return { ...view, locale: version.type.localized ? version.locale : view.locale }
  }

  /**
   * Whether a thing meets a filter. A null is neither equal nor unequal to anything, so "not" is carried down to the
   * fields. Where a relation leads to nothing, a thing made of nulls stands for it.
   */
  meets(thing: Thing | null, filter: Filter, view: View, negated = false): boolean {
    switch (filter.kind) {
      case 'and':
      case 'or': {
        const all = (filter.kind === 'and') !== negated
        const test = (part: Filter) => this.meets(thing, part, view, negated)
        return all ? filter.of.every(test) : filter.of.some(test)
      }
      case 'not':
        return this.meets(thing, filter.of, view, !negated)
      case 'empty':
        return (
          ((thing ? this.#follow(thing, filter.name, view) : []).length === 0) === (filter.is !== negated)
        )
      case 'through': {
        const things = thing ? this.#follow(thing, filter.name, view) : []
        const inner = thing ? this.#viewFrom(thing, view) : view
        const candidates = things.length > 0 ? things : [null]
        return candidates.some((one) => this.meets(one, filter.of, inner, negated))
      }
      case 'field': {
        const value = thing ? this.#value(thing, filter.name) : null
        if (filter.operator === '$null' || filter.operator === '$notNull') {
          const wanted = (filter.operator === '$null') === (filter.values[0] === true)
          return ((value === null) === wanted) !== negated
        }
        if (value === null) return false
        const type = thing ? typeOfField(thing, filter.name) : 'string'
        return compare(filter.operator, value, filter.values, type) !== negated
      }
    }
  }

  #value(thing: Thing, name: string): Json {
    if (thing.version && name === 'id') return this.id(thing)
    if (thing.version && name === 'documentId') return thing.version.key
    if (thing.version && name === 'locale') return thing.version.locale
    return thing.scalars[name] ?? null
  }

  id({ version }: Thing): number {
    return version ? this.#idOf(version.key, version.locale, version.status) : 0
  }

  /** Compares things by the keys, then by id; entries stay in their order. */
  order(keys: readonly SortKey[], view: View) {
    return (a: Thing, b: Thing) => {
      for (const key of keys) {
        const difference = inOrder(
          this.#sortValue(a, key, view),
          this.#sortValue(b, key, view),
          key.descending,
        )
        if (difference !== 0) return difference
      }
      return this.id(a) - this.id(b)
    }
  }

  /** Of several values, the one that comes first in the order asked for. */
  #sortValue(thing: Thing, { path, descending }: SortKey, view: View): Comparable {
    const [name = '', ...rest] = path
    if (rest.length === 0) return comparable(this.#value(thing, name), typeOfField(thing, name))
    const inner = this.#viewFrom(thing, view)
    const values = this.#follow(thing, name, view).map((one) =>
      this.#sortValue(one, { path: rest, descending }, inner),
    )
    return values.sort((a, b) => inOrder(a, b, descending))[0] ?? null
  }

  /** The JSON of a thing with what is selected of it. */
  serve(thing: Thing, select: Select, view: View): JsonObject {
    const { version } = thing
    const names = [...servedFields(thing)].filter(
      (name) => select.fields === null || select.fields.includes(name),
    )
    const own: JsonObject = version
      ? { id: this.id(thing), documentId: version.key }
      : { id: '{{entry}}', documentId: '{{entry}}' }
    for (const name of names) own[name] = servedValue(thing, name)
    const populate = select.populate === '*' ? everything(thing.shape) : select.populate
    for (const part of populate) own[part.name] = this.#populated(thing, part, view)
    return own
  }

  #populated(thing: Thing, part: Populate, view: View): Json {
    const things = this.#follow(thing, part.name, view)
    const inner = this.#viewFrom(thing, view)
    switch (part.kind) {
      case 'count':
        return { count: things.length }
      case 'zone':
        return things.map((entry) => ({
          __component: entry.shape.name,
          ...this.serve(entry, { fields: null, populate: part.star ? '*' : [] }, inner),
        }))
      case 'on': {
        const morph = attributeOf(thing, part.name).kind === 'relation'
        return things.flatMap((one) => {
          const select = part.on[one.shape.name]
          if (!select) return []
          const kind = morph ? { __type: uidOf(one.shape.name) } : { __component: one.shape.name }
          return [{ ...kind, ...this.serve(one, select, inner) }]
        })
      }
      case 'things': {
        const attribute = part.name === 'localizations' ? null : attributeOf(thing, part.name)
        const { filters, start, limit } = part
        const kept = things.filter((one) => filters === null || this.meets(one, filters, inner))
        const sorted = part.sort.length > 0 ? kept.sort(this.order(part.sort, inner)) : kept
        const page = sorted.slice(start ?? 0, limit === null ? undefined : (start ?? 0) + limit)
        const morph = attribute?.kind === 'relation' && attribute.target === null
        const served = page.map((one) => ({
          ...(morph ? { __type: uidOf(one.shape.name) } : {}),
          ...this.serve(one, part.select, inner),
        }))
        return isMany(attribute) ? served : (served[0] ?? null)
      }
    }
  }
}

/** A document that is named is asked for whatever the filters say. */
function asked(row: Thing, { one, filters, search }: Question, meets: (filter: Filter) => boolean) {
  if (one !== null) return row.version?.key === one
  return (filters === null || meets(filters)) && (search === null || matchesSearch(row, search))
}

// ── What a thing has ──

const found = <T>(thing: T | undefined): T => {
  if (thing === undefined) throw new Error('The question names something that the world does not have')
  return thing
}

const attributeOf = (thing: Thing, name: string): WorldAttribute => found(thing.shape.attributes[name])

const isMany = (attribute: WorldAttribute | null) =>
  attribute === null ||
  (attribute.kind === 'relation' && attribute.many) ||
  (attribute.kind === 'component' && attribute.repeatable)

function isShown({ type, locale, status }: NonNullable<Thing['version']>, view: View) {
  return (
    (!type.drafts || status === view.status) &&
    (!type.localized || view.locale === '*' || locale === view.locale)
  )
}

function servedFields({ shape, version }: Thing): string[] {
  const scalars = Object.entries(shape.attributes)
    .filter(
      ([, attribute]) => attribute.kind === 'scalar' && !attribute.private && attribute.type !== 'password',
    )
    .map(([name]) => name)
  if (!version) return scalars
  return [...scalars, 'createdAt', 'updatedAt', 'publishedAt', ...(version.type.localized ? ['locale'] : [])]
}

function servedValue(thing: Thing, name: string): Json {
  if (!thing.version) return thing.scalars[name] ?? null
  if (name === 'createdAt' || name === 'updatedAt') return '{{time}}'
  if (name === 'publishedAt') return thing.version.status === 'draft' ? null : '{{time}}'
  if (name === 'locale') return thing.version.locale
  return thing.scalars[name] ?? null
}

/** What `*` stands for: every relation, component and zone, plainly, and the other locales. */
function everything(shape: WorldShape & { readonly localized?: boolean }): Populate[] {
  const plain = { select: { fields: null, populate: [] }, filters: null, sort: [], start: null, limit: null }
  const parts = Object.entries(shape.attributes).flatMap(([name, attribute]): Populate[] => {
    if (attribute.kind === 'scalar') return []
    return [
      attribute.kind === 'zone' ? { kind: 'zone', name, star: false } : { kind: 'things', name, ...plain },
    ]
  })
  return shape.localized ? [...parts, { kind: 'things', name: 'localizations', ...plain }] : parts
}

const isLocalized = (attribute: WorldAttribute) => attribute.kind !== 'relation' && attribute.localized

/** Copies what the locales of a document have in common: all but relations and localized attributes. */
function copyShared(from: Thing, to: Thing) {
  const source = copyOf(from)
  for (const [name, attribute] of Object.entries(from.shape.attributes)) {
    if (attribute.kind === 'relation' || isLocalized(attribute)) continue
    if (attribute.kind === 'scalar') to.scalars[name] = source.scalars[name] ?? null
    else to.entries[name] = source.entries[name] ?? []
  }
}

const copyOf = ({ scalars, links, entries }: Thing): Pick<Thing, 'scalars' | 'links' | 'entries'> => ({
  scalars: { ...scalars },
  links: { ...links },
  entries: { ...entries },
})

// ── Comparing ──

type FieldType = Extract<WorldAttribute, { kind: 'scalar' }>['type']

function typeOfField({ shape }: Thing, name: string): FieldType {
  const attribute = shape.attributes[name]
  return attribute?.kind === 'scalar' ? attribute.type : name === 'id' ? 'integer' : 'string'
}

/** Upper case first, so that letters with several lower cases meet. */
const fold = (text: string) => text.toUpperCase().toLowerCase()

const asText = (value: Json, type: FieldType) =>
  typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value)

/** A value as it is ordered: big integers travel as text and count as numbers. */
type Comparable = Json | bigint
const comparable = (value: Json, type: FieldType): Comparable =>
  type === 'biginteger' && value !== null ? BigInt(String(value)) : value

function compare(operator: Operator, value: Json, values: readonly Json[], type: FieldType): boolean {
  const text = asText(value, type)
  const any = (test: (difference: number) => boolean) =>
    values.some((other) => test(byValue(comparable(value, type), comparable(other, type))))
  const anyText = (test: (other: string) => boolean) => values.some((other) => test(String(other)))
  switch (operator) {
    case '$eq':
    case '$in':
      return any((difference) => difference === 0)
    case '$ne':
    case '$notIn':
      return !any((difference) => difference === 0)
    case '$lt':
      return any((difference) => difference < 0)
    case '$lte':
      return any((difference) => difference <= 0)
    case '$gt':
      return any((difference) => difference > 0)
    case '$gte':
      return any((difference) => difference >= 0)
    case '$between': {
      const [low = null, high = null] = values
      return compare('$gte', value, [low], type) && compare('$lte', value, [high], type)
    }
    case '$eqi':
      return anyText((other) => fold(text) === fold(other))
    case '$nei':
      return !anyText((other) => fold(text) === fold(other))
    case '$contains':
      return anyText((other) => text.includes(other))
    case '$notContains':
      return !anyText((other) => text.includes(other))
    case '$containsi':
      return anyText((other) => fold(text).includes(fold(other)))
    case '$notContainsi':
      return !anyText((other) => fold(text).includes(fold(other)))
    case '$startsWith':
      return anyText((other) => text.startsWith(other))
    case '$startsWithi':
      return anyText((other) => fold(text).startsWith(fold(other)))
    case '$endsWith':
      return anyText((other) => text.endsWith(other))
    case '$endsWithi':
      return anyText((other) => fold(text).endsWith(fold(other)))
    case '$null':
    case '$notNull':
      throw new Error('Whether something is null was asked before')
  }
}

/** Numbers and booleans by value, text by code point. */
function byValue(a: Comparable, b: Comparable): number {
  if (typeof a === 'string' || typeof b === 'string') {
    return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
  }
  const [left, right] = [orderable(a), orderable(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

const orderable = (value: Comparable) => (typeof value === 'bigint' ? value : Number(value))

/** Nulls first, or last when descending. */
function inOrder(a: Comparable, b: Comparable, descending: boolean): number {
  const ascending = a === null || b === null ? Number(a !== null) - Number(b !== null) : byValue(a, b)
  return descending ? -ascending : ascending
}

const TEXTS: readonly FieldType[] = ['string', 'text', 'richtext', 'email', 'uid', 'enumeration']
const NUMBERS: readonly FieldType[] = ['integer', 'biginteger', 'float', 'decimal']

function matchesSearch(row: Thing, search: string): boolean {
  return Object.entries(row.shape.attributes).some(([name, attribute]) => {
    const value = row.scalars[name] ?? null
    if (attribute.kind !== 'scalar' || attribute.private || value === null) return false
    if (TEXTS.includes(attribute.type)) return fold(String(value)).includes(fold(search))
    return NUMBERS.includes(attribute.type) && String(value) === search
  })
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
