/** The bodies of deliveries: in the form of Standard Webhooks, or as receivers of Strapi's webhooks expect them. Pure. */
import { type ContentType, FILE } from '../../model/model.ts'
import { isObject } from '../../project/values.ts'
import { columnOf } from '../../store/tables/layout.ts'
import { servedRow, servedScalars } from '../../store/tables/served.ts'
import type { StoredEvent } from '../event.ts'

/** `data` is the JSON of the event with its document, as the live feed sends it. */
export const standardBody = (event: string, timestamp: string, data: string): string =>
  `{"type":${JSON.stringify(event)},"timestamp":${JSON.stringify(timestamp)},"data":${data}}`

export const TEST_EVENT = 'webhook.test'

export const testBody = (name: string, timestamp: string): string =>
  standardBody(
    TEST_EVENT,
    timestamp,
    JSON.stringify({ event: TEST_EVENT, at: timestamp, webhook: name, document: null }),
  )

const STRAPI_EVENTS: Readonly<Record<string, string>> = {
  'document.create': 'entry.create',
  'document.update': 'entry.update',
  'document.publish': 'entry.publish',
  'document.unpublish': 'entry.unpublish',
  'document.discard': 'entry.draft-discard',
  'document.delete': 'entry.delete',
  'file.upload': 'media.create',
  'file.update': 'media.update',
  'file.delete': 'media.delete',
  [TEST_EVENT]: 'trigger-test',
}

export const strapiEventOf = (event: string): string => STRAPI_EVENTS[event] ?? event

/** `document` is null if it no longer exists; then what was removed is sent. */
export function strapiBody(
  event: StoredEvent,
  type: ContentType,
  document: Readonly<Record<string, unknown>> | null,
): string {
  const { event: name, at, removed } = event
  const sent = document ?? removedDocument(type, event.documentId, removed)
  const head = { event: strapiEventOf(name), createdAt: at }
  return JSON.stringify(
    type.uid === FILE
      ? { ...head, media: sent }
      : { ...head, model: type.singular, uid: type.uid, entry: sent },
  )
}

export const strapiTestBody = (timestamp: string): string =>
  JSON.stringify({ event: strapiEventOf(TEST_EVENT), createdAt: timestamp })

/** The scalars of the version that an event has removed, the published one if there are two. */
function removedDocument(type: ContentType, documentId: string, removed: string | null): unknown {
  const content: unknown = removed === null ? null : JSON.parse(removed)
  const rows: readonly unknown[] = isObject(content) && Array.isArray(content.rows) ? content.rows : []
  const row = rows.at(-1)
  if (!isObject(row)) return { documentId }
  const storedValue = (name: string) => {
    const value = row[columnOf(name)]
    return typeof value === 'string' || typeof value === 'number' ? value : null
  }
  const times = {
    createdAt: String(row.created_at),
    updatedAt: String(row.updated_at),
    publishedAt: typeof row.published_at === 'string' ? row.published_at : null,
  }
  const served = servedRow(type, documentId, servedScalars(type, storedValue), times, String(row.locale))
  return JSON.parse(`{"id":${Number(row.id)}${served}}`)
}
