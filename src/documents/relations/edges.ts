/** Applies an operation to the edges of one owner: the list of a relation or of media. */
import { errors } from '../../errors.ts'
import { type EdgeAttribute, FILE } from '../../model/model.ts'
import type { Path, Problems } from '../input/problems.ts'
import type { Edge } from '../versions/version.ts'
import type { ListPosition, Operation } from './operation.ts'
import { connect, disconnect, type PositionedItem, replace, withHidden } from './ordering.ts'
import type { HiddenTargets, Target } from './targets.ts'

export const isMany = (attribute: EdgeAttribute) =>
  attribute.kind === 'media' ? attribute.multiple : attribute.many

/** uid of the content-type of the document that an edge of the attribute leads to. */
export const targetTypeOf = (attribute: EdgeAttribute, { targetType }: Pick<Edge, 'targetType'>): string =>
  targetType ?? (attribute.kind === 'media' ? FILE : (attribute.target ?? ''))

/** The position with the key of its anchor. */
const withAnchorKey = (position: ListPosition<Target>): ListPosition<string> =>
  position.kind === 'before' || position.kind === 'after'
    ? { ...position, anchor: position.anchor.documentId }
    : { kind: position.kind }

interface EdgeChange {
  readonly path: Path
  readonly problems: Problems
  readonly hidden: HiddenTargets
}

/** A change of a list. */
export interface ListChange {
  readonly path: Path
  readonly problems: Problems
  /** Whether the caller may not see the document with this key. The change does not remove it. */
  readonly isHidden: (key: string) => boolean
  /** The first position of a new list. */
  readonly first?: number
}

/** The edges after the operation; unchanged if it is impossible, which adds a problem. */
export function changeEdges(
  attribute: EdgeAttribute,
  edges: readonly Edge[],
  operation: Operation<Target>,
  { path, problems, hidden }: EdgeChange,
): readonly Edge[] {
  const before = edges.map((edge) => ({ key: edge.target, position: edge.position }))
  const known = new Map(edges.map((edge) => [edge.target, edge]))
  const isHidden = (key: string) => {
    const edge = known.get(key)
    return edge !== undefined && hidden.has(targetTypeOf(attribute, edge), key)
  }
  const change = { path, problems, isHidden }
  const after = isMany(attribute)
    ? changeList(before, operation, change)
    : changeOne(before, operation, change)
  if (after === null || after === before) return edges
  const types = new Map(targetsOf(operation).map((target) => [target.documentId, target.type]))
  const isMorph = attribute.kind === 'relation' && attribute.morph
  return after.map(({ key, position }) => {
    const edge = known.get(key)
    if (edge) return edge.position === position ? edge : { ...edge, position }
    return {
      target: key,
      targetType: isMorph ? (types.get(key) ?? null) : null,
      position,
      inversePosition: null,
    }
  })
}

/** The documents that an operation adds or explicitly keeps. */
export const targetsOf = (operation: Operation<Target>): readonly Target[] =>
  operation.kind === 'set' ? operation.targets : operation.connect.map(({ target }) => target)

/**
 * To-one: the last of several documents counts. `connect` is applied to the list too, to check its anchors. A hidden
 * document is not cleared, and cannot be replaced.
 */
export function changeOne(
  before: readonly PositionedItem[],
  operation: Operation<Target>,
  change: ListChange,
): readonly PositionedItem[] | null {
  const last = keysOf(targetsOf(operation).slice(-1))
  const hidden = before.find(({ key }) => change.isHidden(key) && !last.includes(key))
  if (hidden && last.length > 0) throw errors.forbidden()
  if (operation.kind === 'set') return hidden ? before : replace(before, last)
  const list = changeList(before, operation, change)
  if (list === null) return null
  if (last.length > 0) return replace(before, last)
  return list.length === before.length ? before : list
}

const keysOf = (targets: readonly Target[]) => targets.map(({ documentId }) => documentId)

/** Disconnects first, then connects one by one, each in the current list; null if an anchor is not in it. */
export function changeList(
  before: readonly PositionedItem[],
  operation: Operation<Target>,
  { path, problems, isHidden, first = 1 }: ListChange,
): readonly PositionedItem[] | null {
  if (operation.kind === 'set')
    return replace(before, withHidden(before, keysOf(operation.targets), isHidden), first)
  let list = disconnect(before, keysOf(operation.disconnect))
  for (const [index, { target, position }] of operation.connect.entries()) {
    const next = connect(list, target.documentId, withAnchorKey(position))
    if (!next) {
      addUnknownAnchor(problems, path, index, position)
      return null
    }
    list = next
  }
  return list
}

function addUnknownAnchor(problems: Problems, path: Path, index: number, position: ListPosition<Target>) {
  if (position.kind !== 'before' && position.kind !== 'after') return
  problems.add(
    [...path, 'connect', String(index), 'position', position.kind],
    `refers to ${position.anchor.documentId}, which is not in the list`,
  )
}
