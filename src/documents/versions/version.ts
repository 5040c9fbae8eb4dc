/** A document in memory: all its versions. Operations create changed copies; `rows/save.ts` stores the difference. */
import { isDeepStrictEqual } from 'node:util'
import type { ContentType } from '../../model/model.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { versionTag } from '../../reads/version-tag.ts'
import type { Entry } from '../../store/tables/entry.ts'

/** An edge of a version row (or of an entry in it) to a document. */
export interface Edge {
  readonly target: string
  /** uid of the target's type on polymorphic relations, else null. */
  readonly targetType: string | null
  readonly position: number
  /** Position in the target's own list; null until it is stored, which puts it last. */
  readonly inversePosition: number | null
}

/** Edges by entry (0 is the document itself), then by relation, in order of their positions. */
export type EdgeLists = ReadonlyMap<number, ReadonlyMap<number, readonly Edge[]>>

/** The entries of a component or zone, parsed and serialized only when needed. */
export class EntryList {
  #text: string | null | undefined
  #entries: readonly Entry[] | undefined

  private constructor(text: string | null | undefined, entries: readonly Entry[] | undefined) {
    this.#text = text
    this.#entries = entries
  }

  static stored(text: string | null) {
    return new EntryList(text, undefined)
  }

  static of(entries: readonly Entry[] | null) {
    return entries === null ? EntryList.stored(null) : new EntryList(undefined, entries)
  }

  /** Null when never set or cleared. */
  get text(): string | null {
    if (this.#text === undefined) this.#text = JSON.stringify(this.#entries)
    return this.#text
  }

  get isSet() {
    return this.#text !== null
  }

  get entries(): readonly Entry[] {
    if (this.#entries === undefined) {
      const parsed: readonly Entry[] = this.#text ? JSON.parse(this.#text) : []
      this.#entries = parsed
    }
    return this.#entries
  }

  /** PostgreSQL formats JSON in its own way, so two different texts may hold the same entries. */
  equals(other: EntryList): boolean {
    if (this === other || this.text === other.text) return true
    return this.isSet && other.isSet && isDeepStrictEqual(this.entries, other.entries)
  }
}

export const NO_ENTRIES = EntryList.of(null)

export interface Version {
  /** Null until the row exists. */
  readonly id: number | null
  /** '' on types that are not localized. */
  readonly locale: string
  readonly published: boolean
  readonly createdAt: string
  readonly updatedAt: string
  readonly publishedAt: string | null
  readonly createdBy: string | null
  readonly updatedBy: string | null
  readonly revision: number
  readonly values: ReadonlyMap<string, Stored | null>
  readonly lists: ReadonlyMap<string, EntryList>
  readonly edges: EdgeLists
}

/** The row of a version. */
export interface VersionRow {
  readonly id: number
  readonly locale: string
  readonly published: boolean
}

/** Who changes a version, and when. */
export interface Stamp {
  readonly now: string
  readonly author: string | null
}

/** All versions of one document. */
export type Versions = readonly Version[]

export const versionOf = (versions: Versions, locale: string, published: boolean): Version | null =>
  versions.find((version) => version.locale === locale && version.published === published) ?? null

/** The versions with this one in place of the one of the same status and locale. */
export const withVersion = (versions: Versions, version: Version): Versions => [
  ...versions.filter((one) => one.locale !== version.locale || one.published !== version.published),
  version,
]

/** The version that a write edits: the draft, or the only version on types without drafts. */
export const editableVersionOf = (type: ContentType, versions: Versions, locale: string) =>
  versionOf(versions, locale, !type.draftAndPublish)

/** The edges of one relation of a version or of an entry in it. */
export const edgesOf = (version: Version, entry: number, relation: number): readonly Edge[] =>
  version.edges.get(entry)?.get(relation) ?? []

/**
 * The tags by which a client may name the version it changes in If-Match: that of the draft, and that of the published
 * version as long as the draft is not modified.
 */
export function tagsOf(versions: Versions, locale: string): string[] {
  const draft = versionOf(versions, locale, false)
  const published = versionOf(versions, locale, true)
  const isModified = draft !== null && published !== null && draft.updatedAt > published.updatedAt
  return [draft, isModified ? null : published].flatMap((version) =>
    version?.id == null ? [] : [versionTag(version.id, version.revision)],
  )
}

export const sameStored = (one: Stored | null, other: Stored | null) =>
  one === other || (one !== null && other !== null && String(one) === String(other))

/** An entry and all entries nested in it. */
export function* entryAndNested(entry: Entry): Generator<Entry> {
  yield entry
  for (const list of Object.values(entry.n ?? {})) for (const nested of list) yield* entryAndNested(nested)
}
