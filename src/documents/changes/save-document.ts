/** Saves a changed document and records what changed, in it and in the documents that lose a target to it. */
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { DocumentAction, Written, WrittenRow } from '../contract.ts'
import { loadFormerOwners } from '../rows/edge-rows.ts'
import { claimsOf, type Saved, saveVersions } from '../rows/save.ts'
import { saveUniqueValues } from '../rows/unique-values.ts'
import { type StoredRow, servedJson } from '../rows/version-rows.ts'
import { type Versions, versionOf } from '../versions/version.ts'
import type { WriteContext } from '../write-context.ts'

export async function saveDocument(
  context: WriteContext,
  action: DocumentAction,
  before: Versions,
  after: Versions,
): Promise<Saved> {
  const { transaction, blueprint, documentId, locale, stamp, changes } = context
  const { type, exclusive } = blueprint
  const losing = changes && exclusive.size > 0 ? await loadFormerOwnersOf(context, before, after) : []
  const saved = await saveVersions(transaction, blueprint, documentId, before, after)
  saveUniqueValues(transaction, blueprint, documentId, before, after)
  changes?.addSaved({ type, documentId, action, locale, before, after: saved.versions, at: stamp.now })
  changes?.addRelated(
    type,
    losing.map((owner) => ({ ...owner, published: owner.status === 'published' })),
  )
  return saved
}

/** Returns the row of a version that was saved, without reading it; null if that is not possible. */
export function savedRow(
  { blueprint, documentId }: WriteContext,
  { versions, rows }: Saved,
  { locale, status }: Written,
): (() => MaybePromise<WrittenRow>) | null {
  const published = status === 'published'
  const version = versionOf(versions, locale, published)
  if (!version) return null
  return () => {
    const served = servedJson(blueprint, documentId, version)
    const { id, revision } = version
    if (id !== null && rows.every((stored) => stored === null)) return { id, revision, served }
    return Promise.all(rows).then((stored) => {
      const isRow = (row: StoredRow) => row.locale === locale && row.published === published
      const row = stored.flatMap((some) => some ?? []).find(isRow)
      if (!row) throw new Error('The row of the version was not saved')
      return { id: row.id, revision: row.revision, served }
    })
  }
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
