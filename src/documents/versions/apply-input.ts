/** Applies a body to a version: attributes that were sent change, all others stay. */
import type { Stored } from '../../model/scalar-type.ts'
import type { ShapeInput } from '../input/body.ts'
import { defaultOf } from '../input/defaults.ts'
import { changeEdges } from '../relations/edges.ts'
import { resolveOperation } from '../relations/resolve.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { type MergeContext, mergeEntries } from './entries.ts'
import {
  type Edge,
  type EdgeLists,
  EntryList,
  edgesOf,
  entryAndNested,
  NO_ENTRIES,
  type Stamp,
  type Version,
} from './version.ts'

/** The version with the input applied. The input may also name entries that only the other versions have. */
export function applyInput(
  context: MergeContext,
  version: Version,
  others: readonly Version[],
  input: ShapeInput,
): Version {
  const { blueprint, targets, problems, hidden } = context
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
        // The inverse side is written once the row exists, because its edges belong to other rows.
        if (!owned) break
        const operation = resolveOperation(sent.attribute, sent.operation, sent.path, targets, problems)
        if (!operation) break
        const before = edgesOf(version, 0, owned.relation)
        const change = { path: sent.path, problems, hidden }
        edges.set(0, owned.relation, changeEdges(sent.attribute, before, operation, change))
        break
      }
      case 'entries': {
        const merged = mergeEntries(context, sent, [version, ...others])
        edges.replaceEntries(lists.get(name) ?? NO_ENTRIES, merged.edges)
        lists.set(name, EntryList.of(merged.entries))
      }
    }
  }
  return { ...version, values, lists, edges: edges.lists }
}

/** Edge lists under construction. Unchanged lists are shared with the version they come from. */
export class EdgeEditor {
  readonly lists: Map<number, ReadonlyMap<number, readonly Edge[]>>

  constructor(lists: EdgeLists) {
    this.lists = new Map(lists)
  }

  set(entry: number, relation: number, edges: readonly Edge[]) {
    this.lists.set(entry, new Map(this.lists.get(entry)).set(relation, edges))
  }

  /** Replaces the edges of some entries with those of others. */
  replaceEntries(before: EntryList, after: EdgeLists) {
    for (const top of before.entries) for (const { i } of entryAndNested(top)) this.lists.delete(i)
    for (const [entry, edges] of after) this.lists.set(entry, edges)
  }
}

/** A new version with the defaults of its type. */
export function blankVersion(
  { scalars, lists, type }: Blueprint,
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

/** The version marked as edited. */
export const withStamp = (version: Version, { now, author }: Stamp): Version => ({
  ...version,
  updatedAt: now,
  updatedBy: author,
  revision: version.revision + 1,
})
