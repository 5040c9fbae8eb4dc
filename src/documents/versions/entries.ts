/** Merges the component entries of a body with those of the document. */
import { errors } from '../../errors.ts'
import { type Component, componentOf, type ScalarAttribute } from '../../model/model.ts'
import { isServed } from '../../model/privacy.ts'
import type { Stored } from '../../model/scalar-type.ts'
import { scalarTypes } from '../../model/scalars/index.ts'
import type { Entry } from '../../store/tables/entry.ts'
import { newDocumentId } from '../document-id.ts'
import type { AttributeInput, EntryInput } from '../input/body.ts'
import { defaultOf } from '../input/defaults.ts'
import { type Path, pathText } from '../input/problems.ts'
import { changeEdges } from '../relations/edges.ts'
import { resolveOperation } from '../relations/resolve.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import type { WriteContext } from '../write-context.ts'
import { type Edge, edgesOf, entryAndNested, type Version } from './version.ts'

/** The parts of a write context that merging needs. */
export type MergeContext = Pick<WriteContext, 'blueprint' | 'targets' | 'hidden' | 'problems' | 'nextEntryId'>

/** An entry of the document, and the version that has it and its edges. */
interface ExistingEntry {
  readonly entry: Entry
  readonly version: Version
}

type EntryEdges = Map<number, readonly Edge[]>

export interface Merged {
  readonly entries: readonly Entry[] | null
  /** The edges of all entries, by entry and relation. */
  readonly edges: ReadonlyMap<number, EntryEdges>
}

/** Stands for an invalid entry, so that the others keep their index in error paths. */
const INVALID: Entry = { i: 0, d: '', c: '', s: '' }

/** The entries of a top-level attribute after a write. The body may name entries of `versions`; earlier ones win. */
export function mergeEntries(
  context: MergeContext,
  input: Extract<AttributeInput, { kind: 'entries' }>,
  versions: readonly Version[],
): Merged {
  const merge = new EntryMerge(context, input.attribute.name, versions)
  const entries = merge.list(input.entries)
  merge.refuseRepeated(entries ?? [], input.path)
  return { entries, edges: merge.edges }
}

/** Merges the entries of one attribute. */
class EntryMerge {
  readonly edges = new Map<number, EntryEdges>()
  readonly #context: MergeContext
  readonly #byId = new Map<number, ExistingEntry>()
  readonly #byDocumentId = new Map<string, ExistingEntry>()

  constructor(context: MergeContext, attribute: string, versions: readonly Version[]) {
    this.#context = context
    for (const version of versions) {
      for (const top of version.lists.get(attribute)?.entries ?? []) {
        for (const entry of entryAndNested(top)) {
          if (this.#byId.has(entry.i)) continue
          this.#byId.set(entry.i, { entry, version })
          this.#byDocumentId.set(entry.d, { entry, version })
        }
      }
    }
  }

  list(inputs: readonly (EntryInput | null)[] | null): readonly Entry[] | null {
    return inputs?.map((input) => (input ? this.#entry(input) : INVALID)) ?? null
  }

  #entry(input: EntryInput): Entry {
    const { component, values, name } = input
    const existing = name && this.#find(input)
    const id = existing?.entry.i ?? this.#context.nextEntryId()
    const scalars = new EntryScalars(component, existing?.entry ?? null)
    const nested: Record<string, readonly Entry[]> = {}
    for (const attribute of component.attributes.values()) {
      const sent = values.get(attribute.name)
      switch (attribute.kind) {
        case 'scalar':
          if (sent?.kind === 'scalar') scalars.set(attribute, sent.stored)
          else if (!existing) scalars.set(attribute, defaultOf(attribute))
          break
        case 'media':
        case 'relation': {
          const relation = this.#context.blueprint.relationIn(component.uid, attribute.name)
          const before = existing ? edgesOf(existing.version, id, relation) : []
          this.#setEdges(id, relation, sent?.kind === 'edges' ? this.#change(sent, before) : before)
          break
        }
        case 'component':
        case 'zone': {
          const nestedBefore = existing?.entry.n?.[attribute.name]
          const list =
            sent?.kind === 'entries'
              ? this.list(sent.entries)
              : existing && this.#keep(existing, nestedBefore)
          if (list) nested[attribute.name] = list
        }
      }
    }
    return makeEntry(id, existing?.entry.d ?? newDocumentId(), component, scalars, nested)
  }

  #find({ name, component, path }: EntryInput): ExistingEntry {
    const known = name && ('id' in name ? this.#byId.get(name.id) : this.#byDocumentId.get(name.documentId))
    if (known && known.entry.c === component.uid) return known
    const named = name && 'id' in name ? `id ${name.id}` : `documentId ${name?.documentId}`
    throw errors.application(
      `${pathText(path)} refers to ${named}, but this document has no such ${component.uid} here`,
    )
  }

  #change(sent: Extract<AttributeInput, { kind: 'edges' }>, before: readonly Edge[]): readonly Edge[] {
    const { path } = sent
    const { targets, problems, hidden } = this.#context
    const operation = resolveOperation(sent.attribute, sent.operation, path, targets, problems)
    return operation ? changeEdges(sent.attribute, before, operation, { path, problems, hidden }) : before
  }

  #setEdges(entry: number, relation: number, edges: readonly Edge[]) {
    if (edges.length === 0) return
    const own = this.edges.get(entry)
    if (own) own.set(relation, edges)
    else this.edges.set(entry, new Map([[relation, edges]]))
  }

  /** Keeps nested entries that were not sent, with their edges. */
  #keep({ version }: ExistingEntry, list: readonly Entry[] | undefined): readonly Entry[] | undefined {
    for (const top of list ?? []) {
      for (const { i } of entryAndNested(top)) {
        for (const [relation, edges] of version.edges.get(i) ?? []) this.#setEdges(i, relation, edges)
      }
    }
    return list
  }

  /** The same entry twice would have to share its edges. */
  refuseRepeated(entries: readonly Entry[], path: Path) {
    const seen = new Set<number>()
    for (const top of entries) {
      for (const { i } of entryAndNested(top)) {
        if (i !== INVALID.i && seen.has(i))
          this.#context.problems.add(path, `contains the component with id ${i} more than once`)
        seen.add(i)
      }
    }
  }
}

/** The scalars of an entry: JSON for public ones, the stored form for private ones. */
class EntryScalars {
  readonly #component: Component
  readonly #served = new Map<string, string>()
  readonly #private: Map<string, string | number | null>

  constructor(component: Component, entry: Entry | null) {
    this.#component = component
    for (const [name, value] of Object.entries(entry ? servedValues(entry) : {})) {
      this.#served.set(name, JSON.stringify(value))
    }
    this.#private = new Map(Object.entries(entry?.p ?? {}))
  }

  set(attribute: ScalarAttribute, stored: Stored | null) {
    if (isServed(attribute)) {
      this.#served.set(attribute.name, stored === null ? 'null' : scalarTypes[attribute.type].json(stored))
    } else if (stored === null) this.#private.delete(attribute.name)
    else this.#private.set(attribute.name, typeof stored === 'bigint' ? String(stored) : stored)
  }

  get fragment(): string {
    let fragment = ''
    for (const attribute of this.#component.attributes.values()) {
      if (attribute.kind !== 'scalar' || !isServed(attribute)) continue
      fragment += `,${JSON.stringify(attribute.name)}:${this.#served.get(attribute.name) ?? 'null'}`
    }
    return fragment
  }

  get privateValues() {
    return this.#private.size > 0 ? Object.fromEntries(this.#private) : null
  }
}

/** The public scalars of an entry, as JSON values. */
export function servedValues(entry: Entry): Readonly<Record<string, unknown>> {
  return entry.s === '' ? {} : JSON.parse(`{${entry.s.slice(1)}}`)
}

function makeEntry(
  id: number,
  documentId: string,
  component: Component,
  scalars: EntryScalars,
  nested: Readonly<Record<string, readonly Entry[]>>,
): Entry {
  const entry = { i: id, d: documentId, c: component.uid, s: scalars.fragment }
  const { privateValues } = scalars
  return {
    ...entry,
    ...(privateValues && { p: privateValues }),
    ...(Object.keys(nested).length > 0 && { n: nested }),
  }
}

/** The component of an entry; null for an invalid entry. */
export const componentOfEntry = (blueprint: Blueprint, entry: Entry): Component | null =>
  entry === INVALID ? null : componentOf(blueprint.model, entry.c)
