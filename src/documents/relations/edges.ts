/** Applies an operation to the edges of one owner: the list of a relation or of media. */
import type { Path, Problems } from '../input/problems.ts'
import type { EdgeAttribute } from '../rows/blueprint.ts'
import type { Edge } from '../versions/version.ts'
import type { ListPosition, Operation } from './operation.ts'
import { connect, disconnect, type PositionedItem, replace } from './ordering.ts'
import type { Target } from './targets.ts'

const isMany = (attribute: EdgeAttribute) =>
  attribute.kind === 'media' ? attribute.multiple : attribute.many

/** The position with the key of its anchor. */
const withAnchorKey = (position: ListPosition<Target>): ListPosition<string> =>
  position.kind === 'before' || position.kind === 'after'
    ? { ...position, anchor: position.anchor.documentId }
    : { kind: position.kind }

/** The edges after the operation; unchanged if it is impossible, which adds a problem. */
export function changeEdges(
  attribute: EdgeAttribute,
  edges: readonly Edge[],
  operation: Operation<Target>,
  path: Path,
  problems: Problems,
): readonly Edge[] {
  const before = edges.map((edge) => ({ key: edge.target, position: edge.position }))
  const after = isMany(attribute)
    ? changeList(before, operation, path, problems)
    : changeOne(before, operation, path, problems)
  if (after === null || after === before) return edges
  const types = new Map(targetsOf(operation).map((target) => [target.documentId, target.type]))
  const known = new Map(edges.map((edge) => [edge.target, edge]))
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

/** To-one: the last of several documents counts. `connect` is applied to the list too, to check its anchors. */
export function changeOne(
  before: readonly PositionedItem[],
  operation: Operation<Target>,
  path: Path,
  problems: Problems,
): readonly PositionedItem[] | null {
  const last = targetsOf(operation).slice(-1)
  if (operation.kind === 'set') return replace(before, keysOf(last))
  const list = changeList(before, operation, path, problems)
  if (list === null) return null
  if (last.length > 0) return replace(before, keysOf(last))
  return list.length === before.length ? before : list
}

const keysOf = (targets: readonly Target[]) => targets.map(({ documentId }) => documentId)

/** Disconnects first, then connects one by one, each in the current list; null if an anchor is not in it. */
export function changeList(
  before: readonly PositionedItem[],
  operation: Operation<Target>,
  path: Path,
  problems: Problems,
  first = 1,
): readonly PositionedItem[] | null {
  if (operation.kind === 'set') return replace(before, keysOf(operation.targets), first)
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
