/** Removing documents: rows, their edges, and the edges of others to a document that is gone for good. */
import type { Transaction } from '../../store/store.ts'
import type { WriteOptions } from '../contract.ts'
import { checkPrecondition } from '../identity.ts'
import { blueprintOf } from '../rows/blueprint.ts'
import { deleteEdgesFrom, deleteEdgesTo } from '../rows/edge-rows.ts'
import { deleteVersions, loadVersions } from '../rows/version-rows.ts'
import { namesOf } from '../versions/version.ts'
import { checkAllowed, type Setting, writtenOf } from '../write-context.ts'

/** Removes the draft and the published version of a locale, or of all locales with `*`. */
export async function removeDocument(
  transaction: Transaction,
  { target, layout, locks }: Setting,
  documentId: string,
  { ifMatch }: WriteOptions,
) {
  const { type } = target
  const blueprint = blueprintOf(layout, type)
  locks.begin([documentId])
  const versions = await loadVersions(transaction, blueprint, documentId)
  const locale = type.localized ? (target.locale ?? layout.model.locales.default) : ''
  const shown = locale === '*' ? versions : versions.filter((version) => version.locale === locale)
  const locales = new Set(shown.map((version) => version.locale))
  const names = [...locales].flatMap((one) => namesOf(shown, one))
  checkPrecondition(ifMatch, names)
  for (const version of shown) await checkAllowed(transaction, target, writtenOf(documentId, version))
  if (shown.length === 0) return
  // Locales from before localization was switched off go too: they would come back with it, without their document.
  const going = type.localized ? shown : versions
  const ids = going.flatMap(({ id }) => id ?? [])
  deleteEdgesFrom(transaction, blueprint.relations, ids)
  deleteVersions(transaction, blueprint, ids)
  if (going.length === versions.length) deleteEdgesTo(transaction, documentId)
}
