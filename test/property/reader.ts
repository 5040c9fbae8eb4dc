/** The naive evaluator's reader: walks from thing to thing, filters, sorts and serves them. */
import type { Json, JsonObject } from '../reference/recording.ts'
import { type Comparable, comparable, compare, inOrder } from './comparing.ts'
import type { Filter, Populate, Select, SortKey } from './question.ts'
import {
  attributeOf,
  type IdOf,
  isMany,
  isShown,
  servedFields,
  servedValue,
  type Thing,
  typeOfField,
  type View,
} from './thing.ts'
import { uidOf, type WorldShape } from './world.ts'

/** Walks from thing to thing, as a view shows them. */
export class Reader {
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

  /** Of the values at the end of the path, the least one, or the greatest when descending; nulls do not count. */
  #sortValue(thing: Thing, { path, descending }: SortKey, view: View): Comparable {
    const values = this.#valuesAt(thing, path, view).filter((value) => value !== null)
    return values.sort((a, b) => inOrder(a, b, descending))[0] ?? null
  }

  #valuesAt(thing: Thing, [name = '', ...rest]: readonly string[], view: View): Comparable[] {
    if (rest.length === 0) return [comparable(this.#value(thing, name), typeOfField(thing, name))]
    const inner = this.#viewFrom(thing, view)
    return this.#follow(thing, name, view).flatMap((one) => this.#valuesAt(one, rest, inner))
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
