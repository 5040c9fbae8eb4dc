/** The edges of other documents to one that is removed, and the versions that lose them. */
import { type ContentType, typeOf } from '../../model/model.ts'
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import { EDGES, type Layout, ownedRelations } from '../../store/tables/layout.ts'
import type { EdgeRow } from '../rows/edge-rows.ts'
import { inNumberList, placeholder, statement } from '../rows/statement.ts'
import type { RelatedVersion } from './recorder.ts'

export interface IncomingEdges {
  readonly edges: readonly EdgeRow[]
  readonly owners: ReadonlyMap<ContentType, readonly RelatedVersion[]>
}

/** Loads the edges to a document, and the versions that own them. Edges of the document to itself are left out. */
export async function loadIncoming(
  transaction: Transaction,
  layout: Layout,
  documentId: string,
): Promise<IncomingEdges> {
  const build = () => sql`select relation, source, entry, published, target_type, position, inverse_position
    from ${sql.table(EDGES)} where target = ${placeholder} order by relation, source`
  const rows = await transaction.all(statement(transaction.dialect, 'edges to', build, [documentId]))
  const edges = rows.map(
    (row): EdgeRow => ({
      relation: Number(row.relation),
      source: Number(row.source),
      entry: Number(row.entry),
      target: documentId,
      published: row.published === 1,
      targetType: row.target_type === null ? null : String(row.target_type),
      position: Number(row.position),
      inversePosition: Number(row.inverse_position),
    }),
  )
  const types = ownerTypes(layout)
  const sources = Map.groupBy(edges, ({ relation }) => types.get(relation))
  const owners = await Promise.all(
    [...sources].map(async ([type, list]): Promise<readonly [ContentType, RelatedVersion[]] | null> => {
      if (!type) return null
      const ids = [...new Set(list.map(({ source }) => source))]
      const versions = await versionsOf(transaction, type, ids)
      return [type, versions.filter((version) => version.documentId !== documentId)]
    }),
  )
  return { edges, owners: new Map(owners.filter((owner) => owner !== null)) }
}

async function versionsOf(
  transaction: Transaction,
  { table }: ContentType,
  ids: readonly number[],
): Promise<RelatedVersion[]> {
  const { dialect } = transaction
  const build = () => sql`select document_id, locale, published from ${sql.table(table)}
    where ${inNumberList(dialect, sql.ref('id'))} order by id`
  const rows = await transaction.all(
    statement(dialect, `versions by id|${table}`, build, [JSON.stringify(ids)]),
  )
  return rows.map((row) => ({
    documentId: String(row.document_id),
    locale: String(row.locale),
    published: row.published === 1,
  }))
}

const typesByLayout = new WeakMap<Layout, ReadonlyMap<number, ContentType>>()

/** The content-type at whose rows the edges of a relation start. */
function ownerTypes(layout: Layout): ReadonlyMap<number, ContentType> {
  let types = typesByLayout.get(layout)
  if (!types) {
    types = new Map(
      ownedRelations(layout.model).map((key) => [layout.relationId(key), typeOf(layout.model, key.type)]),
    )
    typesByLayout.set(layout, types)
  }
  return types
}
