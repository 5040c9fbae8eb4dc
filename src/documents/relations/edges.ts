/** What an operation makes of the edges of one owner: the list of a relation or of media, before and after. */

import type { Path, Problems } from '../input/problems.ts'
import type { EdgeAttribute } from '../rows/blueprint.ts'
import type { Edge } from '../versions/version.ts'
import type { Operation, Place } from './operation.ts'
import { connect, disconnect, type Placed, replace } from './ordering.ts'
import type { Target } from './targets.ts'

const isMany = (attribute: EdgeAttribute) =>
  attribute.kind === 'media' ? attribute.multiple : attribute.many

/** The place with the anchor's key in it. */
const keyed = (place: Place<Target>): Place<string> =>
  place.kind === 'before' || place.kind === 'after'
    ? { kind: place.kind, anchor: place.anchor.documentId }
    : { kind: place.kind }

/** The edges after the operation; as they were when it cannot be done, and the problems say why. */
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
    return { target: key, targetType: isMorph ? (types.get(key) ?? null) : null, position, inverse: null }
  })
}

/** The documents that an operation adds, or keeps on purpose. */
export const targetsOf = (operation: Operation<Target>): readonly Target[] =>
  operation.kind === 'set' ? operation.targets : operation.connect.map(({ target }) => target)

/** Several documents for one place: the last counts. What is connected goes through the list all the same, for the anchors. */
export function changeOne(
  before: readonly Placed[],
  operation: Operation<Target>,
  path: Path,
  problems: Problems,
): readonly Placed[] | null {
  const last = targetsOf(operation).slice(-1)
  if (operation.kind === 'set') return replace(before, keysOf(last))
  const list = changeList(before, operation, path, problems)
  if (list === null) return null
  if (last.length > 0) return replace(before, keysOf(last))
  return list.length === before.length ? before : list
}

const keysOf = (targets: readonly Target[]) => targets.map(({ documentId }) => documentId)

/** Disconnects first, then connects one after the other, each against the list as it stands; null on a wrong anchor. */
export function changeList(
  before: readonly Placed[],
  operation: Operation<Target>,
  path: Path,
  problems: Problems,
  first = 1,
): readonly Placed[] | null {
  if (operation.kind === 'set') return replace(before, keysOf(operation.targets), first)
  let list = disconnect(before, keysOf(operation.disconnect))
  for (const [index, { target, place }] of operation.connect.entries()) {
    const next = connect(list, target.documentId, keyed(place))
    if (!next) {
      unknownAnchor(problems, path, index, place)
      return null
    }
    list = next
  }
  return list
}

/** Notes that a position refers to a document that is not in the list. */
function unknownAnchor(problems: Problems, path: Path, index: number, place: Place<Target>) {
  if (place.kind !== 'before' && place.kind !== 'after') return
  problems.add(
    [...path, 'connect', String(index), 'position', place.kind],
    `refers to ${place.anchor.documentId}, which is not in the list`,
  )
}
