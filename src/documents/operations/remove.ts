/** Removing documents: their rows, their edges, and the edges of others to a document that no longer exists. */

import { errors } from '../../errors.ts'
import type { WriteOptions } from '../contract.ts'
import { checkPrecondition } from '../precondition.ts'
import { areCovered, canRead } from '../row-rules.ts'
import { deleteEdgesFrom, deleteEdgesTo } from '../rows/edge-rows.ts'
import { loadVersions } from '../rows/load-versions.ts'
import { deleteVersions } from '../rows/version-rows.ts'
import { tagsOf, type Versions } from '../versions/version.ts'
import { type WriteContext, writtenOf } from '../write-context.ts'

/** Removes the draft and the published version of a locale, or of all locales with `*`. */
export async function removeDocument(context: WriteContext, { ifMatch }: WriteOptions) {
  const { transaction, blueprint, documentId, locale, locks } = context
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
  const ids = removed.flatMap(({ id }) => id ?? [])
  deleteEdgesFrom(transaction, relations, ids)
  deleteVersions(transaction, blueprint, ids)
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
