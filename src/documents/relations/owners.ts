/** Stores edges from the inverse side of a relation: they belong to the rows of the owners. */
import { errors } from '../../errors.ts'
import { sql } from '../../store/sql.ts'
import { EDGES } from '../../store/tables/layout.ts'
import type { Inverse } from '../rows/blueprint.ts'
import { deleteEdges, deleteEdgesFrom, insertEdges } from '../rows/edge-rows.ts'
import { inNumberList, placeholder, statement } from '../rows/statement.ts'
import type { WriteContext } from '../write-context.ts'
import { findHidden } from './hidden-targets.ts'

/** The locale of the owners' rows that a document relates to. */
export function ownerLocale(
  { blueprint: { type, model }, locale }: WriteContext,
  { owner }: Inverse,
): string {
  if (!owner.localized) return ''
  return type.localized ? locale : model.locales.default
}

/** A change of the edge between a row of an owner and the document. */
export interface OwnerEdge {
  /** documentId of the owner. */
  readonly owner: string
  /** id of the owner's row. */
  readonly source: number
  /** Whether that row is a published version. */
  readonly published: boolean
  /** Whether the row has the edge before and after the change. */
  readonly had: boolean
  readonly has: boolean
  /** Position in the owner's list; null puts it last. */
  readonly position: number | null
  /** Position in the document's list. */
  readonly inversePosition: number
}

/** An owner that can have one target only loses the one it had: refused if the caller may not see that. */
export async function checkDisplaced(context: WriteContext, inverse: Inverse, edges: readonly OwnerEdge[]) {
  const { transaction, request, blueprint } = context
  if (inverse.ownerAttribute.many || !request.rules) return
  const added = edges.flatMap(({ had, has, source }) => (has && !had ? [source] : []))
  if (added.length === 0) return
  const { dialect } = transaction
  const build = () => sql`select target, target_type from ${sql.table(EDGES)}
    where ${inNumberList(dialect, sql.ref('source'))} and entry = 0 and relation = ${placeholder}`
  const parameters = [JSON.stringify(added), inverse.relation]
  const rows = await transaction.all(statement(dialect, 'displaced targets', build, parameters))
  const displaced = rows.map((row) => ({
    type: row.target_type === null ? blueprint.type.uid : String(row.target_type),
    documentId: String(row.target),
  }))
  const hidden = await findHidden(context, displaced)
  if (displaced.some(({ type, documentId }) => hidden.has(type, documentId))) throw errors.forbidden()
}

/** Stores the edges, and raises the revision of every row that gained or lost one. */
export function storeOwnerEdges(context: WriteContext, inverse: Inverse, edges: readonly OwnerEdge[]) {
  const { transaction, blueprint, documentId, changes } = context
  const { attribute, relation, owner, ownerAttribute } = inverse
  const sourcesOf = (test: (edge: OwnerEdge) => boolean) => edges.filter(test).map(({ source }) => source)
  // An owner that can have one target only loses the one it had.
  if (!ownerAttribute.many) {
    deleteEdgesFrom(
      transaction,
      [relation],
      sourcesOf((edge) => edge.has && !edge.had),
    )
  }
  deleteEdges(
    transaction,
    sourcesOf((edge) => edge.had).map((source) => ({ relation, source, entry: 0, target: documentId })),
  )
  const stored = edges.filter((edge) => edge.has)
  insertEdges(
    transaction,
    stored.map(({ source, published, position, inversePosition }) => ({
      relation,
      source,
      entry: 0,
      target: documentId,
      published,
      targetType: attribute.morph ? blueprint.type.uid : null,
      position: ownerAttribute.many ? position : 1,
      inversePosition,
    })),
  )
  const changed = edges.filter((edge) => edge.had !== edge.has)
  if (changed.length === 0) return
  const locale = ownerLocale(context, inverse)
  changes?.addRelated(
    owner,
    changed.map((edge) => ({ documentId: edge.owner, locale, published: edge.published })),
  )
  const ids = JSON.stringify(changed.map(({ source }) => source))
  const build = () => sql`update ${sql.table(owner.table)} set revision = revision + 1
    where ${inNumberList(transaction.dialect, sql.ref('id'))}`
  transaction.run(statement(transaction.dialect, `bump|${owner.table}`, build, [ids]))
  transaction.touch(owner.table)
}
