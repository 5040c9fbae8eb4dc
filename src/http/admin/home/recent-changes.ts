/** Which documents were changed lately, by whom: from the newest records, so that the cost does not grow with the content. */
import { type AuditFilter, readAuditPage } from '../../../events/audit/read.ts'
import { readNewestEvents } from '../../../events/outbox/read-events.ts'
import type { Server } from '../../server.ts'

/** The last change of a document in a locale. */
export interface RecentChange {
  /** uid of the content-type. */
  readonly type: string
  readonly documentId: string
  /** Null on types that are not localized. */
  readonly locale: string | null
  /** Such as `update`. */
  readonly action: string
  readonly at: string
  /** `user:<documentId>`, `token:<id>`, `public` or `system`. */
  readonly author: string
}

/** Records that are looked through. Older changes are not recent. */
const MAX_RECORDS = 500

/** The last change of each document among the newest records, the newest first. Empty if nothing is recorded. */
export async function recentChanges(server: Server): Promise<readonly RecentChange[]> {
  const { events, audit } = server.project.config
  if (events.enabled) return newestPerDocument(await changesInEvents(server))
  return audit.enabled ? newestPerDocument(await auditedChanges(server, {})) : []
}

/** The same for what one author has changed: however much others have changed since, if the audit log is kept. */
export async function recentChangesBy(server: Server, author: string): Promise<readonly RecentChange[]> {
  const { events, audit } = server.project.config
  if (audit.enabled) return newestPerDocument(await auditedChanges(server, { by: author }))
  if (!events.enabled) return []
  return newestPerDocument((await changesInEvents(server)).filter((change) => change.author === author))
}

async function changesInEvents({ store }: Server): Promise<readonly RecentChange[]> {
  const newest = await readNewestEvents(store, MAX_RECORDS)
  return newest.flatMap(({ event, type, documentId, locale, at, author }): RecentChange[] => {
    const action = actionIn(event)
    return action === null ? [] : [{ type, documentId, locale, action, at, author }]
  })
}

async function auditedChanges(server: Server, filter: AuditFilter): Promise<readonly RecentChange[]> {
  const records = await readAuditPage(server.store, filter, MAX_RECORDS, null)
  return records.flatMap(({ action: name, type, documentId, locale, at, by }): RecentChange[] => {
    const action = actionIn(name)
    if (action === null || type === null || documentId === null) return []
    const author = by.id === undefined ? by.kind : `${by.kind}:${by.id}`
    return [{ type, documentId, locale, action, at, author }]
  })
}

/** Null for what does not change a document. */
const actionIn = (event: string): string | null =>
  /^document\.(create|update|publish|unpublish|discard)$/.exec(event)?.[1] ?? null

export const keyOf = ({
  type,
  documentId,
  locale,
}: Pick<RecentChange, 'type' | 'documentId' | 'locale'>): string => `${type} ${documentId} ${locale ?? ''}`

function newestPerDocument(changes: readonly RecentChange[]): readonly RecentChange[] {
  const newest = new Map<string, RecentChange>()
  for (const change of changes) if (!newest.has(keyOf(change))) newest.set(keyOf(change), change)
  return [...newest.values()]
}
