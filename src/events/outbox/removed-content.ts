/**
 * The content that a change has removed, kept with its event. A row rule may cover some documents only, and whether it
 * covered a removed one can be decided only with its rows and edges.
 */
import type { ChangeRecord } from '../../documents/changes/change-record.ts'
import type { EdgeRow } from '../../documents/rows/edge-rows.ts'
import type { Version } from '../../documents/versions/version.ts'
import type { ContentType } from '../../model/model.ts'
import { isSecret } from '../../model/privacy.ts'
import type { SqlValue } from '../../store/statement.ts'
import { columnOf } from '../../store/tables/layout.ts'

/** Rows and edges by column. */
interface RemovedContent {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly edges: readonly Readonly<Record<string, SqlValue>>[]
}

/** Null if the change has removed no version. */
export function removedBy(record: ChangeRecord): string | null {
  const { action, versions, type, documentId, incoming } = record
  if (!versions || (action !== 'delete' && action !== 'unpublish')) return null
  const { before, after } = versions
  const removed = [
    ...(before.draft && !after.draft ? [before.draft] : []),
    ...(before.published && !after.published ? [before.published] : []),
  ]
  const content: RemovedContent = {
    rows: removed.map((version) => rowOf(type, documentId, version)),
    edges: [...removed.flatMap(edgesOf), ...incoming].map(edgeColumns),
  }
  return JSON.stringify(content, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

const rowOf = (type: ContentType, documentId: string, version: Version): Record<string, unknown> => ({
  id: version.id,
  document_id: documentId,
  locale: version.locale,
  published: version.published ? 1 : 0,
  created_at: version.createdAt,
  updated_at: version.updatedAt,
  published_at: version.publishedAt,
  created_by: version.createdBy,
  updated_by: version.updatedBy,
  revision: version.revision,
  served: '',
  ...Object.fromEntries(
    [...version.values].map(([name, value]) => [columnOf(name), isSecretOf(type, name) ? null : value]),
  ),
  ...Object.fromEntries(
    [...version.lists].map(([name, list]) => [columnOf(name), list.isSet ? list.entries : null]),
  ),
})

const isSecretOf = ({ attributes }: ContentType, name: string) => {
  const attribute = attributes.get(name)
  return attribute !== undefined && isSecret(attribute)
}

const edgesOf = ({ id, published, edges }: Version): EdgeRow[] =>
  [...edges].flatMap(([entry, relations]) =>
    [...relations].flatMap(([relation, list]) =>
      list.map((edge) => ({ ...edge, relation, entry, source: Number(id), published })),
    ),
  )

const edgeColumns = (edge: EdgeRow): Record<string, SqlValue> => ({
  relation: edge.relation,
  source: edge.source,
  entry: edge.entry,
  target: edge.target,
  published: edge.published ? 1 : 0,
  target_type: edge.targetType,
  position: edge.position,
  inverse_position: edge.inversePosition,
})
