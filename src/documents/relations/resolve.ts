/** From what a body names to the documents themselves: unknown ones, repeated ones and files of a wrong kind are told. */
import type { MediaAttribute, MediaKind } from '../../model/model.ts'
import type { Path, Problems } from '../input/problems.ts'
import type { EdgeAttribute } from '../rows/blueprint.ts'
import { everyOne, type Operation, type Place, type Reference } from './operation.ts'
import type { Target, Targets } from './targets.ts'

/** The operation on documents that exist, or null when something is wrong with it. */
export function settle(
  attribute: EdgeAttribute,
  operation: Operation<Reference>,
  path: Path,
  targets: Targets,
  problems: Problems,
): Operation<Target> | null {
  const changes = attribute.kind === 'relation' && attribute.side === 'inverse'
  const settling = { targets, problems, path, changes }
  if (operation.kind === 'set') {
    const found = findEach(settling, operation.targets)
    if (attribute.kind === 'media') checkKinds(attribute, operation.targets, found, problems)
    const all = everyOne(found)
    return all && { kind: 'set', targets: all }
  }
  const disconnect = everyOne(findEach(settling, operation.disconnect))
  const connected = findEach(
    settling,
    operation.connect.map((one) => one.target),
  )
  const connect = everyOne(
    operation.connect.map((one, index) => {
      const target = connected[index]
      const place = settlePlace(settling, one.place)
      return target && place ? { target, place } : null
    }),
  )
  return disconnect && connect && { kind: 'change', disconnect, connect }
}

interface Settling {
  readonly targets: Targets
  readonly problems: Problems
  readonly path: Path
  readonly changes: boolean
}

/** The documents of one list; null where one is missing or was named before. */
function findEach(
  { targets, problems, path, changes }: Settling,
  references: readonly Reference[],
): (Target | null)[] {
  const seen = new Set<string>()
  return references.map((reference) => {
    const target = findOne(targets, reference, problems, changes)
    if (!target) return null
    if (seen.has(target.documentId)) {
      problems.add(path, `names the document ${target.documentId} more than once`)
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
    problems.add(reference.path, `names a document that does not exist: ${reference.type} with ${named}`)
  return target
}

function settlePlace({ targets, problems }: Settling, place: Place<Reference>): Place<Target> | null {
  if (place.kind === 'before' || place.kind === 'after') {
    const anchor = findOne(targets, place.anchor, problems)
    return anchor && { kind: place.kind, anchor }
  }
  return { kind: place.kind }
}

/** The kind that a media attribute may allow: pictures, films, sounds, and everything else. */
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
      `takes ${allowedTypes.join(', ')} only, not a file of type ${mime}`,
    )
  }
}
