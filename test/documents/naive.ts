/**
 * A naive model of documents with relations, drafts and locales: lists of names in memory, without positions or rows.
 * Where the order of a list depends on how two versions diverged, the model marks the list as unordered.
 */

export interface NaiveRelation {
  readonly target: string
  readonly many: boolean
  /** The attribute of the same relation at the other end. */
  readonly inverse: string | null
  /** Whether the attribute at the other end is a list. */
  readonly inverseMany: boolean
}

export interface NaiveType {
  readonly drafts: boolean
  readonly localized: boolean
  readonly relations: Readonly<Record<string, NaiveRelation>>
}

export type NaiveTypes = Readonly<Record<string, NaiveType>>

export interface List {
  names: string[]
  ordered: boolean
}

interface Version {
  title: string
  rank: number | null
  own: Record<string, List>
}

interface Document {
  readonly type: string
  /** By locale ('' when there are none) and status. */
  readonly versions: Record<string, Version>
}

export type NaivePosition = { kind: 'start' | 'end' } | { kind: 'before' | 'after'; anchor: string }
export type Change =
  | { kind: 'set'; names: string[] }
  | { kind: 'change'; connect: { name: string; place: NaivePosition }[]; disconnect: string[] }

export interface Values {
  readonly title?: string
  readonly rank?: number | null
  readonly relations: Readonly<Record<string, Change>>
}

/** A write that the server must refuse. */
class Refused extends Error {}

const DEFAULT = 'en'
const key = (locale: string, published: boolean) => `${locale}|${published}`

export class NaiveStore {
  readonly types: NaiveTypes
  #documents = new Map<string, Document>()
  /** The owners that relate to a document, by relation, target, locale and status of the owners. */
  #seen = new Map<string, List>()

  constructor(types: NaiveTypes) {
    this.types = types
  }

  /** Runs a change, and undoes it if it is refused. */
  attempt(change: () => void): boolean {
    const before = structuredClone([this.#documents, this.#seen] as const)
    try {
      change()
      return true
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#documents = before[0]
      this.#seen = before[1]
      return false
    }
  }

  namesOf(type: string): string[] {
    return [...this.#documents].flatMap(([name, document]) => (document.type === type ? [name] : []))
  }

  version(name: string, locale: string, published: boolean): Version | null {
    const document = this.#documents.get(name)
    if (!document) return null
    const type = this.#type(document.type)
    return document.versions[key(type.localized ? locale : '', published || !type.drafts)] ?? null
  }

  /** The targets of a relation in an existing version. */
  shown(name: string, attribute: string, locale: string, published: boolean): List {
    const document = this.#documents.get(name)
    const type = this.#type(document?.type ?? '')
    const relation = type.relations[attribute]
    if (!relation) {
      const [owner, ownerAttribute] = this.#ownerOf(document?.type ?? '', attribute)
      const ownerLocale = owner.localized ? (type.localized ? locale : DEFAULT) : ''
      return this.#list(ownerAttribute, name, ownerLocale, published || !owner.drafts)
    }
    const list = this.version(name, locale, published)?.own[attribute] ?? { names: [], ordered: true }
    const targetLocale = type.localized ? locale : DEFAULT
    return { ...list, names: list.names.filter((one) => this.version(one, targetLocale, published)) }
  }

  write(name: string, typeName: string, locale: string, published: boolean, values: Values) {
    const type = this.#type(typeName)
    const own = type.localized ? locale : ''
    const status = !type.drafts
    const document = this.#documents.get(name) ?? { type: typeName, versions: {} }
    this.#documents.set(name, document)
    const some = Object.values(document.versions)
    const drafts = Object.entries(document.versions).filter(([at]) => at.endsWith(`|${status}`))
    document.versions[key(own, status)] ??= {
      title: '',
      rank:
        (drafts.find(([at]) => at === key(DEFAULT, status)) ?? drafts[0])?.[1].rank ?? some[0]?.rank ?? null,
      own: {},
    }
    const version = this.#existing(name, own, status)
    if (values.title !== undefined) version.title = values.title
    if (values.rank !== undefined) version.rank = values.rank
    for (const [attribute, change] of Object.entries(values.relations)) {
      if (type.relations[attribute]) this.#changeOwn(name, own, status, attribute, change)
    }
    const publishes = type.drafts && published
    if (publishes) this.#copyOwn(name, own, false)
    this.#spread(name, own)
    for (const [attribute, change] of Object.entries(values.relations)) {
      if (!type.relations[attribute]) this.#changeInverse(name, typeName, own, attribute, change)
    }
    if (publishes) this.#syncInverses(name, own, false)
  }

  publish(name: string, locale: string) {
    const own = this.#ownLocale(name, locale)
    this.#existing(name, own, false)
    this.#copyOwn(name, own, false)
    this.#spread(name, own)
    this.#syncInverses(name, own, false)
  }

  unpublish(name: string, locale: string) {
    const own = this.#ownLocale(name, locale)
    this.#existing(name, own, false)
    this.#drop(name, own, true)
  }

  discard(name: string, locale: string) {
    const own = this.#ownLocale(name, locale)
    this.#existing(name, own, true)
    this.#copyOwn(name, own, true)
    this.#spread(name, own)
    this.#syncInverses(name, own, true)
  }

  remove(name: string, locale: string) {
    const document = this.#documents.get(name)
    if (!document) return
    const own = this.#ownLocale(name, locale)
    for (const published of [false, true]) {
      for (const at of Object.keys(document.versions)) {
        const [versionLocale = ''] = at.split('|')
        if (locale === '*' || versionLocale === own) this.#drop(name, versionLocale, published)
      }
    }
    if (Object.keys(document.versions).length > 0) return
    this.#documents.delete(name)
    for (const other of this.#documents.values()) {
      for (const version of Object.values(other.versions)) {
        for (const list of Object.values(version.own)) list.names = list.names.filter((one) => one !== name)
      }
    }
    for (const at of this.#seen.keys()) if (at.split('|')[1] === name) this.#seen.delete(at)
  }

  #type(name: string): NaiveType {
    const type = this.types[name]
    if (!type) throw new Error(`No type ${name}`)
    return type
  }

  #ownLocale(name: string, locale: string) {
    return this.#type(this.#documents.get(name)?.type ?? '').localized ? locale : ''
  }

  #existing(name: string, own: string, published: boolean): Version {
    const version = this.#documents.get(name)?.versions[key(own, published)]
    if (!version) throw new Refused()
    return version
  }

  /** The owner type of an inverse attribute, and the name of the relation there. */
  #ownerOf(type: string, attribute: string): [NaiveType, string] {
    for (const [name, owner] of Object.entries(this.types)) {
      for (const [relation, { target, inverse }] of Object.entries(owner.relations)) {
        if (target === type && inverse === attribute) return [owner, `${name}.${relation}`]
      }
    }
    throw new Error(`${type} has no relation ${attribute}`)
  }

  #list(relation: string, target: string, ownerLocale: string, published: boolean): List {
    const at = `${relation}|${target}|${key(ownerLocale, published)}`
    let list = this.#seen.get(at)
    if (!list) {
      list = { names: [], ordered: true }
      this.#seen.set(at, list)
    }
    return list
  }

  #relation(name: string, attribute: string) {
    const type = this.#documents.get(name)?.type ?? ''
    const relation = this.#type(type).relations[attribute]
    if (!relation) throw new Error(`${type} does not own ${attribute}`)
    return { relation, id: `${type}.${attribute}` }
  }

  #ownList(name: string, own: string, published: boolean, attribute: string): List {
    const version = this.#existing(name, own, published)
    version.own[attribute] ??= { names: [], ordered: true }
    return version.own[attribute]
  }

  /** Sets the targets of an owner. The owner is added at the end of the lists of new targets. */
  #setOwn(
    name: string,
    own: string,
    published: boolean,
    attribute: string,
    names: readonly string[],
    lastKnown = true,
  ) {
    const { relation, id } = this.#relation(name, attribute)
    const list = this.#ownList(name, own, published, attribute)
    for (const removed of list.names.filter((one) => !names.includes(one))) {
      const seen = this.#list(id, removed, own, published)
      seen.names = seen.names.filter((one) => one !== name)
    }
    for (const fresh of names.filter((one) => !list.names.includes(one))) {
      const seen = this.#list(id, fresh, own, published)
      if (relation.inverse !== null && !relation.inverseMany) {
        for (const former of seen.names) {
          const old = this.#ownList(former, own, published, attribute)
          old.names = old.names.filter((one) => one !== fresh)
        }
        seen.names = []
      }
      seen.names.push(name)
      if (!lastKnown && seen.names.length > 1) seen.ordered = false
    }
    list.names = [...names]
  }

  #changeOwn(name: string, own: string, published: boolean, attribute: string, change: Change) {
    const { relation } = this.#relation(name, attribute)
    const list = this.#ownList(name, own, published, attribute)
    const after = relation.many ? changed(list, change) : changedOne(list, change)
    this.#setOwn(name, own, published, attribute, after.names)
    list.ordered = after.ordered
  }

  /** Copies the relations that a version owns to the other status. */
  #copyOwn(name: string, own: string, fromPublished: boolean) {
    const document = this.#documents.get(name)
    const from = this.#existing(name, own, fromPublished)
    if (!document) return
    document.versions[key(own, !fromPublished)] ??= { title: '', rank: null, own: {} }
    const to = this.#existing(name, own, !fromPublished)
    to.title = from.title
    to.rank = from.rank
    for (const attribute of Object.keys(this.#type(document.type).relations)) {
      const list = this.#ownList(name, own, fromPublished, attribute)
      this.#setOwn(name, own, !fromPublished, attribute, list.names, false)
      this.#ownList(name, own, !fromPublished, attribute).ordered = list.ordered
    }
  }

  #spread(name: string, own: string) {
    const versions = this.#documents.get(name)?.versions ?? {}
    for (const published of [false, true]) {
      const from = versions[key(own, published)]
      if (!from) continue
      for (const [at, version] of Object.entries(versions))
        if (at.endsWith(`|${published}`)) version.rank = from.rank
    }
  }

  #drop(name: string, own: string, published: boolean) {
    const document = this.#documents.get(name)
    if (!document?.versions[key(own, published)]) return
    for (const attribute of Object.keys(this.#type(document.type).relations)) {
      this.#setOwn(name, own, published, attribute, [])
    }
    delete document.versions[key(own, published)]
  }

  #changeInverse(name: string, typeName: string, own: string, attribute: string, change: Change) {
    const type = this.#type(typeName)
    const [owner, relation] = this.#ownerOf(typeName, attribute)
    const [, ownerAttribute = ''] = relation.split('.')
    const { inverseMany } = owner.relations[ownerAttribute] ?? { inverseMany: false }
    const locale = owner.localized ? (type.localized ? own : DEFAULT) : ''
    const statuses = owner.drafts ? (type.drafts ? [false] : [false, true]) : [true]
    const has = (one: string, published: boolean) =>
      this.#documents.get(one)?.versions[key(locale, published)]
    const named = change.kind === 'set' ? change.names : change.connect.map((one) => one.name)
    if (named.some((one) => !statuses.some((published) => has(one, published)))) throw new Refused()
    const lists = statuses.map((published) => this.#list(relation, name, locale, published))
    const first = lists[0] ?? { names: [], ordered: true }
    const extra = lists.slice(1).flatMap((list) => list.names.filter((one) => !first.names.includes(one)))
    const union: List = { names: [...first.names, ...extra], ordered: first.ordered && extra.length === 0 }
    const after = inverseMany ? changed(union, change) : changedOne(union, change)
    for (const [index, published] of statuses.entries()) {
      const list = lists[index] ?? first
      const names = after.names.filter((one) =>
        named.includes(one) ? has(one, published) : list.names.includes(one),
      )
      this.#setOwners(name, relation, locale, published, names)
      const known = index === 0 && extra.length > 0 && change.kind === 'change' && first.ordered
      const anchored = change.kind === 'change' && change.connect.some(({ place }) => 'anchor' in place)
      list.ordered = after.ordered || names.length < 2 || (known && !anchored)
    }
  }

  /** Sets the owners of a target, in this order. */
  #setOwners(
    name: string,
    relation: string,
    locale: string,
    published: boolean,
    names: readonly string[],
    lastKnown = true,
  ) {
    const [, attribute = ''] = relation.split('.')
    const list = this.#list(relation, name, locale, published)
    for (const removed of list.names.filter((one) => !names.includes(one))) {
      const own = this.#ownList(removed, locale, published, attribute)
      own.names = own.names.filter((one) => one !== name)
    }
    for (const fresh of names.filter((one) => !list.names.includes(one))) {
      const own = this.#ownList(fresh, locale, published, attribute)
      if (!this.#relation(fresh, attribute).relation.many)
        this.#setOwn(fresh, locale, published, attribute, [])
      own.names.push(name)
      if (!lastKnown && own.names.length > 1) own.ordered = false
    }
    list.names = [...names]
  }

  /** Makes owners that have both versions relate to the document equally in both. */
  #syncInverses(name: string, own: string, fromPublished: boolean) {
    const typeName = this.#documents.get(name)?.type ?? ''
    const type = this.#type(typeName)
    for (const [ownerName, owner] of Object.entries(this.types)) {
      for (const [attribute, { target, inverse }] of Object.entries(owner.relations)) {
        if (target !== typeName || inverse === null || !owner.drafts) continue
        const locale = owner.localized ? (type.localized ? own : DEFAULT) : ''
        const relation = `${ownerName}.${attribute}`
        const hasBoth = (one: string) =>
          [false, true].every((published) => this.#documents.get(one)?.versions[key(locale, published)])
        const from = this.#list(relation, name, locale, fromPublished)
        const to = this.#list(relation, name, locale, !fromPublished)
        const kept = to.names.filter((one) => !hasBoth(one))
        this.#setOwners(
          name,
          relation,
          locale,
          !fromPublished,
          [...kept, ...from.names.filter(hasBoth)],
          false,
        )
        to.ordered = from.ordered && kept.length === 0
      }
    }
  }
}

function changed(list: List, change: Change): List {
  if (change.kind === 'set') return { names: [...change.names], ordered: true }
  let names = list.names.filter((one) => !change.disconnect.includes(one))
  for (const { name, place } of change.connect) {
    const others = names.filter((one) => one !== name)
    if ('anchor' in place) {
      const anchor = others.indexOf(place.anchor)
      if (anchor === -1) throw new Refused()
      names = others.toSpliced(place.kind === 'before' ? anchor : anchor + 1, 0, name)
    } else names = place.kind === 'start' ? [name, ...others] : [...others, name]
  }
  return { names, ordered: list.ordered || names.length < 2 }
}

/** The last of several counts; anchors must exist as in a list. */
function changedOne(list: List, change: Change): List {
  const { names } = changed(list, change)
  const named = change.kind === 'set' ? change.names : change.connect.map((one) => one.name)
  return { names: named.length > 0 ? named.slice(-1) : [...names], ordered: true }
}
