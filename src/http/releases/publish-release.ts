/** Publishes a release on behalf of a caller: all of its documents in one transaction, or none. */

import { authorText } from '../../documents/changes/author-text.ts'
import type { Origin } from '../../documents/changes/origin.ts'
import { type ReleaseEntry, readEntries, readEntriesIn } from '../../documents/releases/entries.ts'
import { keepPublishedState } from '../../documents/releases/former-state.ts'
import { performEntries } from '../../documents/releases/perform-entries.ts'
import { lockRelease, setPublished } from '../../documents/releases/releases.ts'
import { errors } from '../../errors.ts'
import type { Scope } from '../../query/scope.ts'
import type { Transaction } from '../../store/store.ts'
import { checkMayChangePublication } from '../auth/permitted.ts'
import type { Server } from '../server.ts'
import { entryRequest } from './entry-request.ts'
import { recordRelease } from './record-release.ts'
import { checkCanChange, checkNotEmpty } from './release-state.ts'

/** `begin` runs first in the transaction; what it throws keeps the release as it is. */
export async function publishRelease(
  server: Server,
  id: number,
  scope: Scope,
  origin: Origin | null,
  begin: (transaction: Transaction) => Promise<void> = async () => {},
): Promise<void> {
  const entries = await readEntries(server.store, id)
  await checkEntriesPermitted(server, scope, entries)
  await server.documents.transaction(async (transaction, documents) => {
    await begin(transaction)
    const release = await lockRelease(transaction, id)
    if (!release) throw errors.notFound()
    checkCanChange(release)
    const current = await readEntriesIn(transaction, id)
    checkNotEmpty(current)
    checkUnchanged(entries, current)
    const problems = await performEntries(
      transaction,
      documents,
      server.layout(),
      current,
      (entry) => entryRequest(server, scope, entry, origin),
      async (transaction, entry) =>
        server.project.config.history.enabled
          ? keepPublishedState(transaction, server.layout(), entry)
          : null,
    )
    if (problems.length > 0) throw errors.invalidValues(problems)
    setPublished(transaction, id, authorText(scope.principal))
    recordRelease(server, transaction, { by: scope.principal, origin }, 'publish', release)
  })
}

/** Throws a 403 unless the permissions and policies allow the action of every entry. */
export async function checkEntriesPermitted(
  server: Server,
  scope: Scope,
  entries: readonly Pick<ReleaseEntry, 'type' | 'action' | 'documentId'>[],
): Promise<void> {
  for (const { type, action, documentId } of entries)
    await checkMayChangePublication(server, scope, type, action, documentId)
}

/** Policies are checked before the transaction, because they run the project's own code. */
function checkUnchanged(checked: readonly ReleaseEntry[], current: readonly ReleaseEntry[]) {
  const textOf = (entries: readonly ReleaseEntry[]) =>
    JSON.stringify(entries.map(({ id, action }) => [id, action]))
  if (textOf(checked) !== textOf(current))
    throw errors.unavailable(1, 'The release was changed at the same time; try again')
}
