/** Component entries: those of a body laid over those of the document. */
import { errors } from '../../errors.ts'
import { type Component, componentOf, type ScalarAttribute } from '../../model/model.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import type { Entry } from '../../store/tables/entry.ts'
import { newDocumentId } from '../identity.ts'
import type { AttributeInput, EntryInput } from '../input/body.ts'
import { defaultOf } from '../input/defaults.ts'
import { type Path, type Problems, written } from '../input/problems.ts'
import { changeEdges } from '../relations/edges.ts'
import { settle } from '../relations/resolve.ts'
import type { Targets } from '../relations/targets.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { type Edge, edgesOf, type Version, withNested } from './version.ts'

export interface Merging {
  readonly blueprint: Blueprint
  readonly targets: Targets
  readonly problems: Problems
  readonly nextEntryId: () => number
}

/** An entry that the document has, and the version it was found in, whose edges are its own. */
interface Known {
  readonly entry: Entry
  readonly version: Version
}

type EntryEdges = Map<number, readonly Edge[]>

export interface Merged {
  readonly entries: readonly Entry[] | null
  /** The edges of all entries, by entry and relation. */
  readonly edges: ReadonlyMap<number, EntryEdges>
}

/** Stands for an entry that could not be read, so that the others keep their places in what is told about them. */
const UNREADABLE: Entry = { i: 0, d: '', c: '', s: '' }

/** The entries of a top-level attribute after a write. `versions` are those whose entries may be named, first one first. */
export function mergeEntries(
  merging: Merging,
  input: Extract<AttributeInput, { kind: 'entries' }>,
  versions: readonly Version[],
): Merged {
  const merge = new Merge(merging, input.attribute.name, versions)
  const entries = merge.list(input.entries)
  merge.refuseRepeated(entries ?? [], input.path)
  return { entries, edges: merge.edges }
}

/** One pass over the entries of one attribute. */
class Merge {
  readonly edges = new Map<number, EntryEdges>()
  readonly #merging: Merging
  readonly #byId = new Map<number, Known>()
  readonly #byDocumentId = new Map<string, Known>()

  constructor(merging: Merging, attribute: string, versions: readonly Version[]) {
    this.#merging = merging
    for (const version of versions) {
      for (const top of version.lists.get(attribute)?.entries ?? []) {
        for (const entry of withNested(top)) {
          if (this.#byId.has(entry.i)) continue
          this.#byId.set(entry.i, { entry, version })
          this.#byDocumentId.set(entry.d, { entry, version })
        }
      }
    }
  }

  list(inputs: readonly (EntryInput | null)[] | null): readonly Entry[] | null {
    return inputs?.map((input) => (input ? this.#entry(input) : UNREADABLE)) ?? null
  }

  #entry(input: EntryInput): Entry {
    const { component, values, name } = input
    const known = name && this.#find(input)
    const id = known?.entry.i ?? this.#merging.nextEntryId()
    const scalarsOf = new EntryScalars(component, known?.entry ?? null)
    const nested: Record<string, readonly Entry[]> = {}
    for (const attribute of component.attributes.values()) {
      const sent = values.get(attribute.name)
      switch (attribute.kind) {
        case 'scalar':
          if (sent?.kind === 'scalar') scalarsOf.set(attribute, sent.stored)
          else if (!known) scalarsOf.set(attribute, defaultOf(attribute))
          break
        case 'media':
        case 'relation': {
          const relation = this.#merging.blueprint.relationIn(component.uid, attribute.name)
          const before = known ? edgesOf(known.version, id, relation) : []
          this.#setEdges(id, relation, sent?.kind === 'edges' ? this.#change(sent, before) : before)
          break
        }
        case 'component':
        case 'zone': {
          const kept = known?.entry.n?.[attribute.name]
          const list = sent?.kind === 'entries' ? this.list(sent.entries) : known && this.#keep(known, kept)
          if (list) nested[attribute.name] = list
        }
      }
    }
    return makeEntry(id, known?.entry.d ?? newDocumentId(), component, scalarsOf, nested)
  }

  #find({ name, component, path }: EntryInput): Known {
    const known = name && ('id' in name ? this.#byId.get(name.id) : this.#byDocumentId.get(name.documentId))
    if (known && known.entry.c === component.uid) return known
    const named = name && 'id' in name ? `id ${name.id}` : `documentId ${name?.documentId}`
    throw errors.application(
      `${written(path)} has the ${named}, which no ${component.uid} of this document has here`,
    )
  }

  #change(sent: Extract<AttributeInput, { kind: 'edges' }>, before: readonly Edge[]): readonly Edge[] {
    const { targets, problems } = this.#merging
    const operation = settle(sent.attribute, sent.operation, sent.path, targets, problems)
    return operation ? changeEdges(sent.attribute, before, operation, sent.path, problems) : before
  }

  #setEdges(entry: number, relation: number, edges: readonly Edge[]) {
    if (edges.length === 0) return
    const own = this.edges.get(entry)
    if (own) own.set(relation, edges)
    else this.edges.set(entry, new Map([[relation, edges]]))
  }

  /** Nested entries that were not sent stay, with their edges. */
  #keep({ version }: Known, list: readonly Entry[] | undefined): readonly Entry[] | undefined {
    for (const top of list ?? []) {
      for (const { i } of withNested(top)) {
        for (const [relation, edges] of version.edges.get(i) ?? []) this.#setEdges(i, relation, edges)
      }
    }
    return list
  }

  /** An entry that stands in two places would share its edges with itself. */
  refuseRepeated(entries: readonly Entry[], path: Path) {
    const seen = new Set<number>()
    for (const top of entries) {
      for (const { i } of withNested(top)) {
        if (i !== UNREADABLE.i && seen.has(i))
          this.#merging.problems.add(path, `has the component with id ${i} twice`)
        seen.add(i)
      }
    }
  }
}

/** The scalars of an entry: the JSON of public ones, the stored form of the others. */
class EntryScalars {
  readonly #component: Component
  readonly #served = new Map<string, string>()
  readonly #kept: Map<string, string | number | null>

  constructor(component: Component, entry: Entry | null) {
    this.#component = component
    for (const [name, value] of Object.entries(entry ? servedValues(entry) : {})) {
      this.#served.set(name, JSON.stringify(value))
    }
    this.#kept = new Map(Object.entries(entry?.p ?? {}))
  }

  set(attribute: ScalarAttribute, stored: Stored | null) {
    if (isServed(attribute)) {
      this.#served.set(attribute.name, stored === null ? 'null' : scalarTypes[attribute.type].json(stored))
    } else if (stored === null) this.#kept.delete(attribute.name)
    else this.#kept.set(attribute.name, typeof stored === 'bigint' ? String(stored) : stored)
  }

  get fragment(): string {
    let fragment = ''
    for (const attribute of this.#component.attributes.values()) {
      if (attribute.kind !== 'scalar' || !isServed(attribute)) continue
      fragment += `,${JSON.stringify(attribute.name)}:${this.#served.get(attribute.name) ?? 'null'}`
    }
    return fragment
  }

  get kept() {
    return this.#kept.size > 0 ? Object.fromEntries(this.#kept) : null
  }
}

const isServed = (attribute: ScalarAttribute) => !attribute.private && attribute.type !== 'password'

/** The public scalars of an entry, as JSON values. */
export function servedValues(entry: Entry): Readonly<Record<string, unknown>> {
  return entry.s === '' ? {} : JSON.parse(`{${entry.s.slice(1)}}`)
}

function makeEntry(
  id: number,
  documentId: string,
  component: Component,
  own: EntryScalars,
  nested: Readonly<Record<string, readonly Entry[]>>,
): Entry {
  const entry = { i: id, d: documentId, c: component.uid, s: own.fragment }
  const { kept } = own
  return {
    ...entry,
    ...(kept && { p: kept }),
    ...(Object.keys(nested).length > 0 && { n: nested }),
  }
}

/** The component of an entry; null for one that could not be read. */
export const componentOfEntry = (blueprint: Blueprint, entry: Entry): Component | null =>
  entry === UNREADABLE ? null : componentOf(blueprint.model, entry.c)
