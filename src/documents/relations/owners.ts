/** The rows that own the edges which a document sees from the inverse side. */
import { sql } from '../../store/sql.ts'
import type { Transaction } from '../../store/store.ts'
import type { Blueprint, Inverse } from '../rows/blueprint.ts'
import { deleteEdges, deleteEdgesFrom, insertEdges } from '../rows/edge-rows.ts'
import { amongNumbers, statement } from '../rows/statement.ts'

/** The document whose inverse side is written, and in which locale. */
export interface Seen {
  readonly blueprint: Blueprint
  readonly documentId: string
  /** '' on types that are not localized. */
  readonly locale: string
}

/** The locale of the owners' rows that a document sees. */
export function ownerLocale({ blueprint: { type, model }, locale }: Seen, { owner }: Inverse): string {
  if (!owner.localized) return ''
  return type.localized ? locale : model.locales.default
}

/** What happens to the edge between a row of an owner and the document. */
export interface OwnerEdge {
  /** The owner, and the row of it. */
  readonly owner: string
  readonly source: number
  /** Whether that row is a published one. */
  readonly published: boolean
  /** Whether the row has the edge already, and whether it shall have it. */
  readonly had: boolean
  readonly has: boolean
  /** Its place in the owner's list; null for the last. */
  readonly position: number | null
  /** Its place in the document's list. */
  readonly inverse: number
}

/** Stores the edges of owners that changed; rows that win or lose one have changed, and their revision says so. */
export function storeOwnerEdges(
  transaction: Transaction,
  { blueprint, documentId }: Seen,
  { attribute, relation, owner, ownerAttribute }: Inverse,
  edges: readonly OwnerEdge[],
) {
  const sourcesOf = (test: (edge: OwnerEdge) => boolean) => edges.filter(test).map(({ source }) => source)
  // An owner that has room for one leaves the document it had.
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
    stored.map(({ source, published, position, inverse }) => ({
      ...{ relation, source, entry: 0, target: documentId, published, inverse },
      targetType: attribute.morph ? blueprint.type.uid : null,
      position: ownerAttribute.many ? position : 1,
    })),
  )
  const changed = sourcesOf((edge) => edge.had !== edge.has)
  if (changed.length === 0) return
  const build = () => sql`update ${sql.table(owner.table)} set revision = revision + 1
    where ${amongNumbers(transaction.dialect, sql.ref('id'))}`
  transaction.run(statement(transaction.dialect, `bump|${owner.table}`, build, [JSON.stringify(changed)]))
  transaction.touch(owner.table)
}
