/** Who may change a release: those who could publish everything in it. */
import { readEntriesIn } from '../../documents/releases/entries.ts'
import { findChangeable } from '../../documents/schedules/changeable-version.ts'
import { ApiError, errors } from '../../errors.ts'
import type { Scope } from '../../query/scope.ts'
import type { Transaction } from '../../store/store.ts'
import { publishesOnlyOnCreation } from '../auth/permitted.ts'
import type { Server } from '../server.ts'
import { entryRequest } from './entry-request.ts'

/** Throws a 403 or 404 unless the caller has the permission for each document of the release. */
export async function checkMayChange(
  server: Server,
  scope: Scope,
  transaction: Transaction,
  id: number,
): Promise<void> {
  for (const entry of await readEntriesIn(transaction, id)) {
    const { type, documentId, locale, action } = entry
    if (!scope.may(type, action) || publishesOnlyOnCreation(scope, type)) throw errors.forbidden()
    const request = scope.rule(type, action)?.filters ? entryRequest(server, scope, entry) : null
    if (request)
      await findChangeable({ transaction, request }, server.layout(), request.type, documentId, locale, [
        action,
      ])
  }
}

export async function mayChange(
  server: Server,
  scope: Scope,
  transaction: Transaction,
  id: number,
): Promise<boolean> {
  try {
    await checkMayChange(server, scope, transaction, id)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false
    throw error
  }
}
