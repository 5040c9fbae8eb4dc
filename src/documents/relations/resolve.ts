/** Resolves the references of an operation to documents. Unknown or repeated documents and wrong files are problems. */
import type { EdgeAttribute, MediaAttribute, MediaKind } from '../../model/model.ts'
import type { Path, Problems } from '../input/problems.ts'
import { allOrNull, type ListPosition, type Operation, type Reference } from './operation.ts'
import type { Target, Targets } from './targets.ts'

/** The operation with documents instead of references, or null if it has problems. */
export function resolveOperation(
  attribute: EdgeAttribute,
  operation: Operation<Reference>,
  path: Path,
  targets: Targets,
  problems: Problems,
): Operation<Target> | null {
  const changes = attribute.kind === 'relation' && attribute.side === 'inverse'
  const resolution = { targets, problems, path, changes }
  if (operation.kind === 'set') {
    const found = findEach(resolution, operation.targets)
    if (attribute.kind === 'media') checkKinds(attribute, operation.targets, found, problems)
    const all = allOrNull(found)
    return all && { kind: 'set', targets: all }
  }
  // The row of a numeric id may have been deleted since the caller read it: then there is nothing to disconnect.
  const disconnected = operation.disconnect.filter(
    (reference) => !('id' in reference.name) || targets.find(reference, changes),
  )
  const disconnect = allOrNull(findEach(resolution, disconnected))
  const connected = findEach(
    resolution,
    operation.connect.map((one) => one.target),
  )
  const connect = allOrNull(
    operation.connect.map((one, index) => {
      const target = connected[index]
      const position = resolvePosition(resolution, one.position)
      return target && position ? { target, position } : null
    }),
  )
  return disconnect && connect && { kind: 'change', disconnect, connect }
}

interface Resolution {
  readonly targets: Targets
  readonly problems: Problems
  readonly path: Path
  /** Whether the operation changes the documents themselves, as on the inverse side. */
  readonly changes: boolean
}

/** The documents of one list; null for one that does not exist or is repeated. */
function findEach(
  { targets, problems, path, changes }: Resolution,
  references: readonly Reference[],
): (Target | null)[] {
  const seen = new Set<string>()
  return references.map((reference) => {
    const target = findOne(targets, reference, problems, changes)
    if (!target) return null
    if (seen.has(target.documentId)) {
      problems.add(path, `contains document ${target.documentId} more than once`)
      return null
    }
    seen.add(target.documentId)
    return target
  })
}

function findOne(targets: Targets, reference: Reference, problems: Problems, changes = false): Target | null {
  const target = targets.find(reference, changes)
  const { name } = reference
  const named = 'id' in name ? `id ${name.id}` : `documentId ${name.documentId}`
  if (!target)
    problems.add(reference.path, `refers to a document that does not exist: ${reference.type} with ${named}`)
  return target
}

function resolvePosition(
  { targets, problems }: Resolution,
  position: ListPosition<Reference>,
): ListPosition<Target> | null {
  if (position.kind === 'before' || position.kind === 'after') {
    const { kind, anchor: reference, orEnd = false } = position
    if (orEnd && !targets.find(reference)) return { kind: 'end' }
    const anchor = findOne(targets, reference, problems)
    return anchor && { kind, anchor, orEnd }
  }
  return { kind: position.kind }
}

/** The kind of a file as `allowedTypes` of a media attribute names it. */
export function mediaKindOf(mime: string): MediaKind {
  const [family] = mime.split('/', 1)
  return family === 'image'
    ? 'images'
    : family === 'video'
      ? 'videos'
      : family === 'audio'
        ? 'audios'
        : 'files'
}

function checkKinds(
  { allowedTypes }: MediaAttribute,
  references: readonly Reference[],
  found: readonly (Target | null)[],
  problems: Problems,
) {
  for (const [index, target] of found.entries()) {
    const mime = target?.mime ?? null
    if (mime === null || allowedTypes.includes(mediaKindOf(mime))) continue
    problems.add(
      references[index]?.path ?? [],
      `accepts only ${allowedTypes.join(', ')}, not a file of type ${mime}`,
    )
  }
}
