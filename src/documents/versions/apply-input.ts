/** A body laid over a version: what was sent is changed, everything else stays. */
import type { Stored } from '../../model/scalar-type.ts'
import type { ShapeInput } from '../input/body.ts'
import { defaultOf } from '../input/defaults.ts'
import { changeEdges } from '../relations/edges.ts'
import { settle } from '../relations/resolve.ts'
import { type Merging, mergeEntries } from './entries.ts'
import {
  type Edge,
  type EdgeLists,
  EntryList,
  edgesOf,
  NO_ENTRIES,
  type Version,
  withNested,
} from './version.ts'

export interface Stamp {
  readonly now: string
  readonly author: string | null
}

/** The version with the input in it. Entries may also be named that only `other` has (the published version). */
export function applyInput(
  merging: Merging,
  version: Version,
  other: Version | null,
  input: ShapeInput,
): Version {
  const { blueprint, targets, problems } = merging
  const values = new Map(version.values)
  const lists = new Map(version.lists)
  const edges = new EdgeEditor(version.edges)
  for (const [name, sent] of input) {
    switch (sent.kind) {
      case 'scalar':
        values.set(name, sent.stored)
        break
      case 'edges': {
        const owned = blueprint.owned.get(name)
        // The inverse side is written once the row exists: its edges belong to other rows.
        if (!owned) break
        const operation = settle(sent.attribute, sent.operation, sent.path, targets, problems)
        if (!operation) break
        const before = edgesOf(version, 0, owned.relation)
        edges.set(0, owned.relation, changeEdges(sent.attribute, before, operation, sent.path, problems))
        break
      }
      case 'entries': {
        const merged = mergeEntries(merging, sent, other ? [version, other] : [version])
        edges.replaceEntries(lists.get(name) ?? NO_ENTRIES, merged.edges)
        lists.set(name, EntryList.of(merged.entries))
      }
    }
  }
  return { ...version, values, lists, edges: edges.lists }
}

/** Edge lists under construction; lists that are not touched are shared with the version they come from. */
export class EdgeEditor {
  readonly lists: Map<number, ReadonlyMap<number, readonly Edge[]>>

  constructor(lists: EdgeLists) {
    this.lists = new Map(lists)
  }

  set(entry: number, relation: number, edges: readonly Edge[]) {
    this.lists.set(entry, new Map(this.lists.get(entry)).set(relation, edges))
  }

  /** Takes the edges of some entries away and puts those of others in. */
  replaceEntries(before: EntryList, after: EdgeLists) {
    for (const top of before.entries) for (const { i } of withNested(top)) this.lists.delete(i)
    for (const [entry, edges] of after) this.lists.set(entry, edges)
  }
}

/** A version that does not exist yet, with the defaults of its type. */
export function blankVersion(
  { blueprint: { scalars, lists, type } }: Pick<Merging, 'blueprint'>,
  locale: string,
  { now, author }: Stamp,
): Version {
  const published = !type.draftAndPublish
  return {
    id: null,
    locale,
    published,
    createdAt: now,
    updatedAt: now,
    publishedAt: published ? now : null,
    createdBy: author,
    updatedBy: author,
    revision: 0,
    values: new Map(
      scalars.map((attribute): [string, Stored | null] => [attribute.name, defaultOf(attribute)]),
    ),
    lists: new Map(lists.map((attribute) => [attribute.name, NO_ENTRIES])),
    edges: new Map(),
  }
}

/** The version as edited now. */
export const stamped = (version: Version, { now, author }: Stamp): Version => ({
  ...version,
  updatedAt: now,
  updatedBy: author,
  revision: version.revision + 1,
})
