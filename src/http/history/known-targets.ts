/** Finds out which of the documents that a state refers to still exist, and which of them the caller may see. */
import { type ContentType, FILE } from '../../model/model.ts'
import { type Scope, systemScope } from '../../query/scope.ts'
import { compile } from '../../store/compile.ts'
import { sql } from '../../store/sql.ts'
import { withoutRefused } from '../extension/policies.ts'
import type { Server } from '../server.ts'

export interface TargetName {
  readonly type: string
  readonly documentId: string
}

/** `missing` documents no longer exist; `hidden` ones the caller may not find. */
type TargetState = 'visible' | 'hidden' | 'missing'

export interface KnownTargets {
  stateOf(type: string, documentId: string): TargetState
}

export async function readTargets(
  server: Server,
  given: Scope,
  names: readonly TargetName[],
): Promise<KnownTargets> {
  const byType = Map.groupBy(names, ({ type }) => type)
  const scope = await withoutRefused(server.extension, given, 'find', byType.keys())
  const states = new Map<string, TargetState>()
  for (const [uid, list] of byType) {
    const type = server.layout().model.types.get(uid)
    const ids = [...new Set(list.map(({ documentId }) => documentId))]
    const existing = type ? await existingOf(server, type, ids) : new Set<string>()
    const visible = type ? await visibleOf(server, scope, type, [...existing]) : existing
    // Whether a rule would have covered a document that is gone cannot be known.
    const mayKnowAll = (uid === FILE || scope.may(uid, 'find')) && !scope.rule(uid, 'find')?.filters
    for (const id of ids) {
      const isKnown = existing.has(id) ? visible.has(id) : mayKnowAll
      states.set(`${uid} ${id}`, isKnown ? (existing.has(id) ? 'visible' : 'missing') : 'hidden')
    }
  }
  return { stateOf: (type, documentId) => states.get(`${type} ${documentId}`) ?? 'hidden' }
}

async function existingOf(
  { store }: Server,
  { table }: ContentType,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { dialect } = store
  const rows = await store.read(
    compile(
      dialect,
      sql`select distinct document_id from ${sql.table(table)}
        where ${dialect.inTexts(sql.id('document_id'), sql`${JSON.stringify(ids)}`)}`,
    ),
  )
  return new Set(rows.map((row) => String(row.document_id)))
}

/** Those that the caller finds in a list, in any status and locale. */
async function visibleOf(
  server: Server,
  scope: Scope,
  type: ContentType,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  // Files are shown with every document that they are attached to.
  if (!scope.may(type.uid, 'find')) return new Set(type.uid === FILE ? ids : [])
  const seesDrafts = !type.draftAndPublish || scope.may(type.uid, 'readDrafts')
  const isLimited = scope.rule(type.uid, 'find')?.filters !== undefined || !seesDrafts
  if (!isLimited || scope.key === systemScope.key) return new Set(ids)
  const { maxLimit, bounds } = server.project.config.api.rest
  const limit = Math.min(maxLimit, bounds.listLength)
  const locales = type.localized ? server.layout().model.locales.codes.length : 1
  const size = Math.max(1, Math.floor(limit / locales))
  const visible = new Set<string>()
  for (let from = 0; from < ids.length; from += size) {
    const filters = { documentId: { $in: ids.slice(from, from + size) } }
    const query = { filters, fields: 'documentId', pagination: { limit: String(limit) } }
    for (const status of seesDrafts ? ['draft', 'published'] : ['published']) {
      const params = { ...query, status, ...(type.localized && { locale: '*' }) }
      const { data } = await server.reads().list(type, params, scope)
      const found: readonly { readonly documentId: string }[] = JSON.parse(data)
      for (const { documentId } of found) visible.add(documentId)
    }
  }
  return visible
}
