/** Saves a changed document and records what changed, in it and in the documents that lose a target to it. */
import type { DocumentAction, Written } from '../contract.ts'
import { loadFormerOwners } from '../rows/edge-rows.ts'
import { claimsOf, saveVersions } from '../rows/save.ts'
import { saveUniqueValues } from '../rows/unique-values.ts'
import type { Versions } from '../versions/version.ts'
import type { WriteContext } from '../write-context.ts'

/** Returns the stored state: new versions have the ids of their rows if those are known before the insert. */
export async function saveDocument(
  context: WriteContext,
  action: DocumentAction,
  before: Versions,
  after: Versions,
): Promise<Versions> {
  const { transaction, blueprint, documentId, locale, stamp, changes } = context
  const { type, exclusive } = blueprint
  const losing = changes && exclusive.size > 0 ? await loadFormerOwnersOf(context, before, after) : []
  const saved = await saveVersions(transaction, blueprint, documentId, before, after)
  saveUniqueValues(transaction, blueprint, documentId, before, after)
  changes?.addSaved({ type, documentId, action, locale, before, after: saved, at: stamp.now })
  changes?.addRelated(
    type,
    losing.map((owner) => ({ ...owner, published: owner.status === 'published' })),
  )
  return saved
}

/** The versions of other documents that lose a target which can have one owner only. */
export async function loadFormerOwnersOf(
  { transaction, blueprint, documentId }: WriteContext,
  before: Versions,
  after: Versions,
): Promise<Written[]> {
  const owners: Written[] = []
  for (const claim of claimsOf(blueprint, documentId, before, after))
    owners.push(...(await loadFormerOwners(transaction, blueprint.type, claim)))
  return owners
}
