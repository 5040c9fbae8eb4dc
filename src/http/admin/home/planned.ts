/** What happens next: documents and releases that are published or unpublished at a set time. */
import { listReleases } from '../../../documents/releases/releases.ts'
import { listSchedules } from '../../../documents/schedules/schedules.ts'
import type { Scope } from '../../../query/scope.ts'
import { visibleDocuments } from '../../schedules/visible-documents.ts'
import type { Server } from '../../server.ts'

/** Schedules that are looked through; the person may not find the documents of some. */
const MAX_SCHEDULES = 50

/** Up to `limit`, in the order of their times. */
export async function readPlanned(server: Server, scope: Scope, limit: number) {
  const from = new Date().toISOString()
  const all = [
    ...(await plannedDocuments(server, scope, from)),
    ...(await plannedReleases(server, from, limit)),
  ]
  return all.toSorted((one, other) => one.at.localeCompare(other.at)).slice(0, limit)
}

async function plannedDocuments(server: Server, scope: Scope, from: string) {
  if (!server.project.config.schedules.enabled) return []
  const schedules = await listSchedules(server.store, { from }, MAX_SCHEDULES)
  const visible = await visibleDocuments(server, scope, schedules)
  return schedules.flatMap(({ type, documentId, locale, action, runAt }) => {
    const document = visible({ type, documentId, locale })
    const named = { type, documentId, locale: locale === '' ? null : locale }
    return document ? [{ kind: 'document' as const, at: runAt, action, ...named, title: document.title }] : []
  })
}

async function plannedReleases(server: Server, from: string, limit: number) {
  if (!server.project.config.releases.enabled) return []
  const releases = await listReleases(server.store, { state: 'scheduled', from }, limit)
  return releases.map(({ id, name, entryCount, publishAt }) => ({
    ...{ kind: 'release' as const, at: publishAt ?? from, id, name, entryCount },
  }))
}
