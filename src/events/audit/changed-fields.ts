/** The names of the attributes that a change of content has changed. Values never leave this file. */
import type { ChangeRecord } from '../../documents/changes/change-record.ts'
import {
  type Edge,
  type EdgeLists,
  entryAndNested,
  NO_ENTRIES,
  sameStored,
  type Version,
} from '../../documents/versions/version.ts'
import { type Layout, ownedRelations } from '../../store/tables/layout.ts'

/**
 * For a creation, the attributes that have a value. Empty for removals, for the first publication, and for a document
 * that has changed only through the relation of another one.
 */
export function changedFields({ action, versions, published, layout }: ChangeRecord): readonly string[] {
  if (!versions || action === 'delete' || action === 'unpublish') return []
  const status = published ? 'published' : 'draft'
  const after = versions.after[status]
  const before = versions.before[status]
  if (!after || (!before && action === 'publish')) return []
  const names = new Set<string>()
  for (const [name, value] of after.values)
    if (!sameStored(before?.values.get(name) ?? null, value)) names.add(name)
  for (const [name, list] of after.lists)
    if (!(before?.lists.get(name) ?? NO_ENTRIES).equals(list)) names.add(name)
  if (before?.edges !== after.edges) addChangedRelations(names, layout, before?.edges ?? NO_EDGES, after)
  return [...names]
}

const NO_EDGES: EdgeLists = new Map()

function addChangedRelations(names: Set<string>, layout: Layout, before: EdgeLists, after: Version): void {
  for (const entry of new Set([...before.keys(), ...after.edges.keys()])) {
    const [old, now] = [before.get(entry), after.edges.get(entry)]
    if (old === now) continue
    for (const relation of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])) {
      if (haveSameTargets(old?.get(relation) ?? [], now?.get(relation) ?? [])) continue
      const name = entry === 0 ? relationNames(layout).get(relation) : attributeOfEntry(after, entry)
      if (name !== undefined) names.add(name)
    }
  }
}

const haveSameTargets = (one: readonly Edge[], other: readonly Edge[]) =>
  one === other ||
  (one.length === other.length &&
    one.every(({ target, targetType }, index) => {
      const beside = other[index]
      return target === beside?.target && targetType === beside.targetType
    }))

/** The component or zone that holds an entry, however deep. */
function attributeOfEntry({ lists }: Version, id: number): string | undefined {
  for (const [name, list] of lists)
    for (const entry of list.entries) for (const one of entryAndNested(entry)) if (one.i === id) return name
  return undefined
}

const namesByLayout = new WeakMap<Layout, ReadonlyMap<number, string>>()

function relationNames(layout: Layout): ReadonlyMap<number, string> {
  let names = namesByLayout.get(layout)
  if (!names) {
    names = new Map(ownedRelations(layout.model).map((key) => [layout.relationId(key), key.attribute]))
    namesByLayout.set(layout, names)
  }
  return names
}
