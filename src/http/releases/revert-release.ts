/**
 * Reverts a release on behalf of a caller, all of it or nothing: what it published for the first time is unpublished, and
 * what it replaced or unpublished is published again as it was, from the history. Drafts stay as they are.
 */

import type { Origin } from '../../documents/changes/origin.ts'
import type { Documents } from '../../documents/documents.ts'
import { restoreVersion } from '../../documents/history/restore-version.ts'
import { type ReleaseEntry, readEntries, readEntriesIn } from '../../documents/releases/entries.ts'
import { readDraftState } from '../../documents/releases/former-state.ts'
import { inOrderOfPublishing, isPublished } from '../../documents/releases/perform-entries.ts'
import { lockRelease, setReverted } from '../../documents/releases/releases.ts'
import { ApiError, errors, type FieldProblem } from '../../errors.ts'
import type { Scope } from '../../query/scope.ts'
import type { Transaction } from '../../store/store.ts'
import { checkMayChangePublication } from '../auth/permitted.ts'
import type { Server } from '../server.ts'
import { entryRequest } from './entry-request.ts'
import { recordRelease } from './record-release.ts'

/** Returns what of the former content could not be restored, such as relations to documents that no longer exist. */
export async function revertRelease(
  server: Server,
  id: number,
  scope: Scope,
  origin: Origin | null,
): Promise<readonly FieldProblem[]> {
  for (const { type, documentId, wasPublished } of await readEntries(server.store, id))
    for (const action of wasPublished ? ['update', 'publish'] : ['unpublish'])
      await checkMayChangePublication(server, scope, type, action, documentId)
  return server.documents.transaction(async (transaction, documents) => {
    const release = await lockRelease(transaction, id)
    if (!release) throw errors.notFound()
    if (release.state !== 'published') throw errors.application('Only a published release can be reverted')
    const entries = await readEntriesIn(transaction, id)
    transaction.lock(entries.map(({ documentId }) => documentId))
    const notRestored: FieldProblem[] = []
    for (const entry of inOrderOfReverting(entries))
      notRestored.push(...(await revertEntry(server, scope, origin, transaction, documents, entry)))
    setReverted(transaction, id)
    recordRelease(server, transaction, { by: scope.principal, origin }, 'revert', release)
    return notRestored
  })
}

/**
 * A document may have taken over the unique value of another one: what the release published for the first time is
 * unpublished first, and the rest goes back the way it came.
 */
const inOrderOfReverting = (entries: readonly ReleaseEntry[]): readonly ReleaseEntry[] => [
  ...entries.filter(({ wasPublished }) => !wasPublished),
  ...inOrderOfPublishing(entries.filter(({ wasPublished }) => wasPublished)).reverse(),
]

async function revertEntry(
  server: Server,
  scope: Scope,
  origin: Origin | null,
  transaction: Transaction,
  documents: Documents,
  entry: ReleaseEntry,
): Promise<readonly FieldProblem[]> {
  const { documentId, wasPublished, formerState } = entry
  const published = entryRequest(server, scope, { ...entry, action: 'publish' }, origin)
  const draft = entryRequest(server, scope, { ...entry, action: 'unpublish' }, origin)
  try {
    if (!published || !draft) throw errors.notFound()
    if (!wasPublished) {
      // It may have been unpublished or deleted since.
      if (await isPublished(transaction, server.layout(), draft.type, entry))
        await documents.unpublish(draft, documentId, async () => null)
      return []
    }
    if (formerState === null) throw errors.application('its former content is not in the history')
    const draftState = await readDraftState(transaction, entry)
    const restore = (request: typeof draft, version: number) =>
      restoreVersion(
        transaction,
        documents,
        server.layout(),
        request,
        { documentId, version },
        async () => null,
      )
    const { notRestored } = await restore(published, formerState)
    if (draftState !== null && draftState !== formerState) await restore(draft, draftState)
    return notRestored.map(({ path, message }) => ({ path: [documentId, ...path], message }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const reason =
      error.status === 404
        ? 'it no longer exists, or its former content is not in the history'
        : error.message
    throw errors.application(`The release cannot be reverted: ${entry.type} ${documentId}: ${reason}`)
  }
}
