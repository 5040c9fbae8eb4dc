/** Filters, sorts and serializes the content of the naive evaluator. */
import type { Json, JsonObject } from '../reference/recording.ts'
import { type Comparable, comparable, compare, compareForSort, score } from './comparison.ts'
import {
  attributeOf,
  type ContentNode,
  type IdOf,
  isMany,
  isVisible,
  servedFields,
  servedValue,
  typeOfField,
  type View,
} from './content-node.ts'
import { type RandomShape, uidOf } from './random-model.ts'
import type { Filter, Populate, Select, SortKey } from './read-query.ts'

export class NaiveReader {
  readonly #rows: readonly ContentNode[]
  readonly #idOf: IdOf

  constructor(rows: readonly ContentNode[], idOf: IdOf) {
    this.#rows = rows
    this.#idOf = idOf
  }

  /** What a relation, component or zone leads to, in order. */
  #follow(node: ContentNode, name: string, view: View): ContentNode[] {
    if (name === 'localizations') {
      return this.#rows.filter(
        ({ version }) =>
          version?.key === node.version?.key &&
          version?.status === node.version?.status &&
          version?.locale !== node.version?.locale,
      )
    }
    const attribute = attributeOf(node, name)
    if (attribute.kind === 'component' || attribute.kind === 'zone') return [...(node.entries[name] ?? [])]
    if (attribute.kind !== 'relation') return []
    const inner = this.#viewFrom(node, view)
    const shown = (key: string) =>
      this.#rows.filter(({ version }) => version?.key === key && isVisible(version, inner))
    if (attribute.inverseOf === null) return (node.links[name] ?? []).flatMap(({ to }) => shown(to))
    const owner = attribute.inverseOf
    return this.#rows
      .filter(({ version }) => version?.type.name === attribute.target && isVisible(version, inner))
      .flatMap((row) =>
        (row.links[owner] ?? [])
          .filter(({ to }) => to === node.version?.key)
          .map(({ since }) => ({ row, since })),
      )
      .sort((a, b) => a.since - b.since)
      .map(({ row }) => row)
  }

  /** Relations of a localized document lead to documents in its locale. */
  #viewFrom({ version }: ContentNode, view: View): View {
    if (version === null) return view
    return { ...view, locale: version.type.localized ? version.locale : view.locale }
  }

  /**
   * Null is neither equal nor unequal to anything, so negation is passed down to the fields. An empty relation matches as
   * if it led to a node whose values are all null.
   */
  matches(node: ContentNode | null, filter: Filter, view: View, negated = false): boolean {
    switch (filter.kind) {
      case 'and':
      case 'or': {
        const all = (filter.kind === 'and') !== negated
        const test = (part: Filter) => this.matches(node, part, view, negated)
        return all ? filter.of.every(test) : filter.of.some(test)
      }
      case 'not':
        return this.matches(node, filter.of, view, !negated)
      case 'empty':
        return ((node ? this.#follow(node, filter.name, view) : []).length === 0) === (filter.is !== negated)
      case 'through': {
        const nodes = node ? this.#follow(node, filter.name, view) : []
        const inner = node ? this.#viewFrom(node, view) : view
        const candidates = nodes.length > 0 ? nodes : [null]
        return candidates.some((one) => this.matches(one, filter.of, inner, negated))
      }
      case 'field': {
        const value = node ? this.#value(node, filter.name) : null
        if (filter.operator === '$null' || filter.operator === '$notNull') {
          const expectsNull = (filter.operator === '$null') === (filter.values[0] === true)
          return ((value === null) === expectsNull) !== negated
        }
        if (value === null) return false
        const type = node ? typeOfField(node, filter.name) : 'string'
        return compare(filter.operator, value, filter.values, type) !== negated
      }
    }
  }

  #value(node: ContentNode, name: string): Json {
    if (node.version && name === 'id') return this.id(node)
    if (node.version && name === 'documentId') return node.version.key
    if (node.version && name === 'locale') return node.version.locale
    return node.scalars[name] ?? null
  }

  id({ version }: ContentNode): number {
    return version ? this.#idOf(version.key, version.locale, version.status) : 0
  }

  /** Compares nodes by the sort keys, then by id; entries keep their order. */
  /** `search` is what scores depend on. */
  order(keys: readonly SortKey[], view: View, search: string | null = null) {
    return (a: ContentNode, b: ContentNode) => {
      for (const key of keys) {
        const difference = compareForSort(
          key.path[0] === '_score' ? score(a, search) : this.#sortValue(a, key, view),
          key.path[0] === '_score' ? score(b, search) : this.#sortValue(b, key, view),
          key.descending,
        )
        if (difference !== 0) return difference
      }
      return this.id(a) - this.id(b)
    }
  }

  /** The smallest value at the end of the path, or the largest when descending; nulls are ignored. */
  #sortValue(node: ContentNode, { path, descending }: SortKey, view: View): Comparable {
    const values = this.#valuesAt(node, path, view).filter((value) => value !== null)
    return values.sort((a, b) => compareForSort(a, b, descending))[0] ?? null
  }

  #valuesAt(node: ContentNode, [name = '', ...rest]: readonly string[], view: View): Comparable[] {
    if (rest.length === 0) return [comparable(this.#value(node, name), typeOfField(node, name))]
    const inner = this.#viewFrom(node, view)
    return this.#follow(node, name, view).flatMap((one) => this.#valuesAt(one, rest, inner))
  }

  toJson(node: ContentNode, select: Select, view: View): JsonObject {
    const { version } = node
    const names = [...servedFields(node)].filter(
      (name) => select.fields === null || select.fields.includes(name),
    )
    const own: JsonObject = version
      ? { id: this.id(node), documentId: version.key }
      : { id: '{{entry}}', documentId: '{{entry}}' }
    for (const name of names) own[name] = servedValue(node, name)
    const populate = select.populate === '*' ? everything(node.shape) : select.populate
    for (const part of populate) own[part.name] = this.#populated(node, part, view)
    return own
  }

  #populated(node: ContentNode, part: Populate, view: View): Json {
    const nodes = this.#follow(node, part.name, view)
    const inner = this.#viewFrom(node, view)
    switch (part.kind) {
      case 'count':
        return { count: nodes.length }
      case 'zone':
        return nodes.map((entry) => ({
          __component: entry.shape.name,
          ...this.toJson(entry, { fields: null, populate: part.star ? '*' : [] }, inner),
        }))
      case 'on': {
        const morph = attributeOf(node, part.name).kind === 'relation'
        return nodes.flatMap((one) => {
          const select = part.on[one.shape.name]
          if (!select) return []
          const kind = morph ? { __type: uidOf(one.shape.name) } : { __component: one.shape.name }
          return [{ ...kind, ...this.toJson(one, select, inner) }]
        })
      }
      case 'nested': {
        const attribute = part.name === 'localizations' ? null : attributeOf(node, part.name)
        const { filters, start, limit } = part
        const kept = nodes.filter((one) => filters === null || this.matches(one, filters, inner))
        const sorted = part.sort.length > 0 ? kept.sort(this.order(part.sort, inner)) : kept
        const page = sorted.slice(start ?? 0, limit === null ? undefined : (start ?? 0) + limit)
        const morph = attribute?.kind === 'relation' && attribute.target === null
        const served = page.map((one) => ({
          ...(morph ? { __type: uidOf(one.shape.name) } : {}),
          ...this.toJson(one, part.select, inner),
        }))
        return isMany(attribute) ? served : (served[0] ?? null)
      }
    }
  }
}

/** What `*` populates: every relation, component and zone without options, and the other locales. */
function everything(shape: RandomShape & { readonly localized?: boolean }): Populate[] {
  const plain = { select: { fields: null, populate: [] }, filters: null, sort: [], start: null, limit: null }
  const parts = Object.entries(shape.attributes).flatMap(([name, attribute]): Populate[] => {
    if (attribute.kind === 'scalar') return []
    return [
      attribute.kind === 'zone' ? { kind: 'zone', name, star: false } : { kind: 'nested', name, ...plain },
    ]
  })
  return shape.localized ? [...parts, { kind: 'nested', name: 'localizations', ...plain }] : parts
}
