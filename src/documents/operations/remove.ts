/** Removing documents: their rows, their edges, and the edges of others to a document that no longer exists. */
import type { WriteOptions } from '../contract.ts'
import { checkPrecondition } from '../precondition.ts'
import { checkRules } from '../row-rules.ts'
import { deleteEdgesFrom, deleteEdgesTo } from '../rows/edge-rows.ts'
import { loadVersions } from '../rows/load-versions.ts'
import { deleteVersions } from '../rows/version-rows.ts'
import { tagsOf } from '../versions/version.ts'
import { type WriteContext, writtenOf } from '../write-context.ts'

/** Removes the draft and the published version of a locale, or of all locales with `*`. */
export async function removeDocument(context: WriteContext, { ifMatch }: WriteOptions) {
  const { transaction, blueprint, documentId, locale, locks } = context
  const { type, relations } = blueprint
  locks.acquire([documentId])
  const versions = await loadVersions(transaction, blueprint, documentId)
  const matching = locale === '*' ? versions : versions.filter((version) => version.locale === locale)
  const locales = new Set(matching.map((version) => version.locale))
  checkPrecondition(
    ifMatch,
    [...locales].flatMap((one) => tagsOf(matching, one)),
  )
  for (const version of matching) await checkRules(context, type, ['delete'], writtenOf(documentId, version))
  if (matching.length === 0) return
  // Versions from before localization was switched off are removed too: switching it on would restore them.
  const removed = type.localized ? matching : versions
  const ids = removed.flatMap(({ id }) => id ?? [])
  deleteEdgesFrom(transaction, relations, ids)
  deleteVersions(transaction, blueprint, ids)
  if (removed.length === versions.length) deleteEdgesTo(transaction, documentId)
}
