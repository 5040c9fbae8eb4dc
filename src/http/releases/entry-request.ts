/** The write request for an entry of a release. */
import type { Origin } from '../../documents/changes/origin.ts'
import type { WriteRequest } from '../../documents/documents.ts'
import type { NewEntry } from '../../documents/releases/entries.ts'
import type { Scope } from '../../query/scope.ts'
import { rowRulesOf } from '../content/row-rules.ts'
import type { Server } from '../server.ts'

/** Null if its content-type no longer exists, or has no drafts any more. */
export function entryRequest(
  server: Server,
  scope: Scope,
  entry: NewEntry,
  origin: Origin | null = null,
): WriteRequest | null {
  const type = server.layout().model.types.get(entry.type)
  if (!type?.draftAndPublish) return null
  return {
    type,
    status: entry.action === 'publish' ? 'published' : 'draft',
    locale: type.localized ? entry.locale : null,
    scope,
    rules: rowRulesOf(server, scope),
    ...(origin && { origin }),
  }
}
