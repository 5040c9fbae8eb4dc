/** Removing documents: their rows, their edges, and the edges of others to a document that no longer exists. */
import { errors } from '../../errors.ts'
import { type IncomingEdges, loadIncoming } from '../changes/incoming-edges.ts'
import type { ChangeRecorder } from '../changes/recorder.ts'
import type { WriteOptions } from '../contract.ts'
import { checkPrecondition } from '../precondition.ts'
import { areCovered, canRead } from '../row-rules.ts'
import { deleteEdgesFrom, deleteEdgesTo } from '../rows/edge-rows.ts'
import { loadVersions, withEdges } from '../rows/load-versions.ts'
import { saveUniqueValues } from '../rows/unique-values.ts'
import { deleteVersions } from '../rows/version-rows.ts'
import { tagsOf, type Versions } from '../versions/version.ts'
import { type WriteContext, writtenOf } from '../write-context.ts'

/** Removes the draft and the published version of a locale, or of all locales with `*`. */
export async function removeDocument(context: WriteContext, { ifMatch }: WriteOptions) {
  const { transaction, blueprint, documentId, locale, locks, changes } = context
  const { type, relations } = blueprint
  locks.acquire([documentId])
  const versions = await loadVersions(transaction, blueprint, documentId)
  const named = locale === '*' ? versions : versions.filter((version) => version.locale === locale)
  const matching = await deletableVersions(context, named, versions)
  const locales = new Set(matching.map((version) => version.locale))
  checkPrecondition(
    ifMatch,
    [...locales].flatMap((one) => tagsOf(matching, one)),
  )
  if (matching.length === 0) return
  // Versions from before localization was switched off are removed too: switching it on would restore them.
  const removed = type.localized ? matching : versions
  if (changes) await recordRemoval(context, changes, versions, removed)
  const ids = removed.flatMap(({ id }) => id ?? [])
  deleteEdgesFrom(transaction, relations, ids)
  deleteVersions(transaction, blueprint, ids)
  const kept = versions.filter((version) => !removed.includes(version))
  saveUniqueValues(transaction, blueprint, documentId, versions, kept)
  if (removed.length === versions.length) deleteEdgesTo(transaction, documentId)
}

/** The versions to delete, if the caller may delete all of them; none of a document that does not exist for the caller. */
async function deletableVersions(context: WriteContext, named: Versions, all: Versions): Promise<Versions> {
  const { documentId, blueprint } = context
  const { type } = blueprint
  let covered = 0
  for (const version of named)
    if (await areCovered(context, type, ['delete'], writtenOf(documentId, version))) covered += 1
  if (covered === named.length) return named
  if (covered === 0 && !(await canRead(context, type, documentId, all))) return []
  throw errors.forbidden()
}

/** Reads what the removal destroys, as long as it exists: the edges of the document, and those of others to it. */
async function recordRemoval(
  { transaction, layout, blueprint, documentId, locale, stamp }: WriteContext,
  changes: ChangeRecorder,
  versions: Versions,
  removed: Versions,
) {
  const isWhole = removed.length === versions.length
  const [before, incoming] = await Promise.all([
    withEdges(transaction, blueprint, documentId, versions),
    isWhole ? loadIncoming(transaction, layout, documentId) : NO_INCOMING,
  ])
  const removedIds = new Set(removed.map(({ id }) => id))
  changes.addSaved({
    ...{ type: blueprint.type, documentId, action: 'delete', locale },
    ...{ before, after: before.filter(({ id }) => !removedIds.has(id)) },
    ...{ incoming: incoming.edges, at: stamp.now },
  })
  for (const [type, owners] of incoming.owners) changes.addRelated(type, owners)
}

const NO_INCOMING: IncomingEdges = { edges: [], owners: new Map() }
