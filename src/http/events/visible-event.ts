/**
 * What a caller may know of an event. A caller learns of a document that it may find now, or, if it has been removed, of
 * one that it could find before the removal. All rules of reading apply: permissions, row rules, drafts, policies and hooks.
 */
import { ApiError } from '../../errors.ts'
import type { StoredEvent } from '../../events/event.ts'
import { readRemovalAfter } from '../../events/outbox/read-events.ts'
import { wasCovered } from '../../events/removed-documents.ts'
import { type ContentType, FILE } from '../../model/model.ts'
import type { Action, Scope } from '../../query/scope.ts'
import { visibleAuthor } from '../auth/visible-author.ts'
import { narrowReadScope } from '../content/visible-types.ts'
import { dataAfterHook, queryAfterHook } from '../extension/find-hooks.ts'
import { policiesAllow } from '../extension/policies.ts'
import type { Server } from '../server.ts'

/** Adds to a file what its own routes add. */
export type PresentFile = (json: string) => Promise<unknown>

/** The JSON of an event for a caller; null if the caller may not know of it. */
export async function visibleEvent(
  server: Server,
  scope: Scope,
  stored: StoredEvent,
  includesDocument: boolean,
  presentFile: PresentFile,
): Promise<string | null> {
  const type = server.layout().model.types.get(stored.type)
  if (!type || !(await mayFind(server, scope, type, stored.documentId))) return null
  const document = await documentFor(server, scope, type, stored, includesDocument)
  if (document === null) {
    const removal = isRemoval(stored) ? stored : await readRemovalAfter(server.store, stored)
    if (!removal || !(await couldFind(server, scope, type, stored, removal))) return null
  }
  const { seq, event, at, documentId, locale } = stored
  const visible = {
    seq,
    event,
    at,
    type: type.uid,
    documentId,
    locale,
    by: visibleAuthor(scope, stored.author),
  }
  if (!includesDocument) return JSON.stringify(visible)
  const shown = document !== null && type.uid === FILE ? await presentFile(document) : null
  const data = shown === null ? document : JSON.stringify(shown)
  return `${JSON.stringify(visible).slice(0, -1)},"document":${data}}`
}

async function mayFind(
  server: Server,
  scope: Scope,
  type: ContentType,
  documentId: string,
): Promise<boolean> {
  if (!scope.may(type.uid, 'find')) return false
  // Policies are about requests; webhooks are what an admin has set up.
  if (scope.principal.kind === 'system') return true
  return policiesAllow(server.extension, { type: type.uid, action: 'find', documentId, scope })
}

/** Reading one document by the rules of `find`, which apply to lists. */
const findScope = (scope: Scope): Scope => {
  const asFind = (action: Action): Action => (action === 'findOne' ? 'find' : action)
  return {
    key: `feed ${scope.key}`,
    principal: scope.principal,
    may: (type, action) => scope.may(type, asFind(action)),
    rule: (type, action) => scope.rule(type, asFind(action)),
  }
}

/** The document as the caller reads it now, or null if it cannot. Without `isWhole`, only its documentId. */
async function documentFor(
  server: Server,
  scope: Scope,
  type: ContentType,
  { documentId, locale, published, event }: StoredEvent,
  isWhole: boolean,
): Promise<string | null> {
  if (event.endsWith('.delete')) return null
  const isDraft = type.draftAndPublish && (!published || event.endsWith('.unpublish'))
  const parameters = new URLSearchParams({
    ...(isDraft && { status: 'draft' }),
    ...(locale !== null && { locale }),
    ...(!isWhole && { fields: 'documentId' }),
  })
  const found = { type: type.uid, action: 'findOne', documentId, scope } as const
  try {
    const query = await queryAfterHook(server, found, parameters.toString())
    const request = { type, query, scope: findScope(scope), id: documentId }
    const narrowed = await narrowReadScope(server, request)
    const result = await server.reads().document(type, documentId, narrowed.query, narrowed.scope)
    if (!result) return null
    return isWhole ? await dataAfterHook(server, found, result.data) : result.data
  } catch (error) {
    // The caller may not read it: drafts, for example, or a locale that no longer exists.
    if (error instanceof ApiError && error.status < 500) return null
    throw error
  }
}

const isRemoval = ({ event }: StoredEvent) => event.endsWith('.delete') || event.endsWith('.unpublish')

/** Whether the caller could find the version that an event is about, until the removal. */
async function couldFind(
  server: Server,
  scope: Scope,
  type: ContentType,
  { documentId, locale, published }: StoredEvent,
  { removed }: StoredEvent,
): Promise<boolean> {
  const statuses = [
    ...(published ? (['published'] as const) : []),
    ...(type.draftAndPublish && scope.may(type.uid, 'readDrafts') ? (['draft'] as const) : []),
  ]
  for (const status of statuses) {
    const actions: readonly Action[] = status === 'draft' ? ['find', 'readDrafts'] : ['find']
    const version = { documentId, locale: locale ?? '', status }
    const rules = actions
      .map((action) => server.reads().rowRuleStatement(type, scope, action, version))
      .filter((rule) => rule !== null)
    if (rules.length === 0) return true
    if (removed === null) continue
    const covered = await Promise.all(
      rules.map((rule) => wasCovered(server.store, server.layout(), type, rule, removed)),
    )
    if (covered.every((is) => is)) return true
  }
  return false
}
