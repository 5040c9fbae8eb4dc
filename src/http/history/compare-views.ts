/** Compares two saved states attribute by attribute. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { AttributeView, EntryView, ShapeView, TargetView } from './state-view.ts'

/**
 * A difference. `added` and `removed` are about one item of a list, whose index is the last step of the path. `moved` lists
 * the items that both states have, in the order of each.
 */
export interface StateChange {
  readonly path: readonly string[]
  readonly kind: 'changed' | 'added' | 'removed' | 'moved'
  readonly before?: unknown
  readonly after?: unknown
}

/** Everything that differs, in the order of the attributes. */
export function compareViews(before: ShapeView, after: ShapeView): StateChange[] {
  return compareShapes(before, after, [])
}

const EMPTY: ShapeView = new Map()

function compareShapes(before: ShapeView, after: ShapeView, path: readonly string[]): StateChange[] {
  const names = new Set([...after.keys(), ...before.keys()])
  return [...names].flatMap((name) =>
    compareAttributes(before.get(name) ?? null, after.get(name) ?? null, [...path, name]),
  )
}

function compareAttributes(
  before: AttributeView | null,
  after: AttributeView | null,
  path: readonly string[],
): StateChange[] {
  const kind = (after ?? before)?.kind
  switch (kind) {
    case 'targets': {
      const [old, now] = [targetsOf(before), targetsOf(after)]
      return compareLists(old, now, keyOfTarget, (target) => target, path)
    }
    case 'entries': {
      const [old, now] = [entriesOf(before), entriesOf(after)]
      const own = compareLists(old, now, keyOfEntry, entryJson, path)
      const previous = new Map(old.map((entry) => [entry.id, entry]))
      const inside = now.flatMap((entry, index) => {
        const earlier = previous.get(entry.id)
        return earlier ? compareShapes(earlier.attributes, entry.attributes, [...path, String(index)]) : []
      })
      return [...own, ...inside]
    }
    default: {
      const [old, now] = [scalarOf(before), scalarOf(after)]
      return isDeepStrictEqual(old, now) ? [] : [{ path, kind: 'changed', before: old, after: now }]
    }
  }
}

const scalarOf = (view: AttributeView | null) => (view?.kind === 'value' ? view.value : null)
const targetsOf = (view: AttributeView | null) => (view?.kind === 'targets' ? view.targets : [])
const entriesOf = (view: AttributeView | null) => (view?.kind === 'entries' ? view.entries : [])

const keyOfTarget = ({ type, documentId }: TargetView) => `${type} ${documentId}`
const keyOfEntry = ({ id }: EntryView) => String(id)

function compareLists<Item>(
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
  json: (item: Item) => unknown,
  path: readonly string[],
): StateChange[] {
  const [oldKeys, newKeys] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
  const removed = before.flatMap((item, index): StateChange[] =>
    newKeys.has(keyOf(item)) ? [] : [{ path: [...path, String(index)], kind: 'removed', before: json(item) }],
  )
  const added = after.flatMap((item, index): StateChange[] =>
    oldKeys.has(keyOf(item)) ? [] : [{ path: [...path, String(index)], kind: 'added', after: json(item) }],
  )
  const keptBefore = before.filter((item) => newKeys.has(keyOf(item)))
  const keptAfter = after.filter((item) => oldKeys.has(keyOf(item)))
  const isMoved = keptBefore.map(keyOf).join('\n') !== keptAfter.map(keyOf).join('\n')
  const ids = (items: readonly Item[]) => items.map((item) => idOf(json(item)))
  const moved: StateChange[] = isMoved
    ? [{ path, kind: 'moved', before: ids(keptBefore), after: ids(keptAfter) }]
    : []
  return [...removed, ...added, ...moved]
}

const idOf = (json: unknown): unknown =>
  typeof json === 'object' && json !== null
    ? (Reflect.get(json, 'documentId') ?? Reflect.get(json, 'id'))
    : json

/** An entry as JSON, with everything in it. */
function entryJson({ id, component, attributes }: EntryView): unknown {
  const values = [...attributes].map(([name, view]) => [name, viewJson(view)])
  return { id, __component: component, ...Object.fromEntries(values) }
}

function viewJson(view: AttributeView): unknown {
  switch (view.kind) {
    case 'value':
      return view.value
    case 'targets':
      return view.targets
    case 'entries':
      return view.entries.map(entryJson)
  }
}

/** Everything that a state has: the changes since nothing. */
export const wholeState = (after: ShapeView): StateChange[] =>
  compareShapes(EMPTY, after, []).filter((change) => change.kind !== 'changed' || change.after !== null)

export interface MissingTarget {
  readonly path: readonly string[]
  readonly documentId: string
  readonly type: string
}

/** The targets of a state that no longer exist, with the attributes that refer to them. */
export const missingTargets = (view: ShapeView, path: readonly string[] = []): MissingTarget[] =>
  [...view].flatMap(([name, attribute]): MissingTarget[] => {
    const at = [...path, name]
    if (attribute.kind === 'targets')
      return attribute.targets
        .filter(({ missing }) => missing)
        .map(({ documentId, type }) => ({ path: at, documentId, type }))
    if (attribute.kind !== 'entries') return []
    return attribute.entries.flatMap((entry, index) =>
      missingTargets(entry.attributes, [...at, String(index)]),
    )
  })
