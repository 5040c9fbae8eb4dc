/** Locks the other documents that a write changes through its relations, before it changes anything. */
import { sql } from '../../store/sql.ts'
import type { SqlValue } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { EDGES } from '../../store/tables/layout.ts'
import { referencesOf, type ShapeInput } from '../input/body.ts'
import type { Locks } from '../locks.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { inTextList, placeholder, statement } from '../rows/statement.ts'
import type { Targets } from './targets.ts'

/** The edges of a relation to some targets, from any owner. */
interface EdgesTo {
  /** Table of the owners. */
  readonly table: string
  readonly relation: number
  readonly targets: readonly string[]
}

/** Whether a body changes other documents besides its own. */
export const changesOtherDocuments = (
  { inverses, owned, exclusive }: Blueprint,
  input: ShapeInput,
): boolean =>
  [...input.values()].some(
    ({ kind, attribute: { name } }) =>
      kind === 'edges' && (inverses.has(name) || exclusive.has(owned.get(name)?.relation ?? 0)),
  )

/** Locks the document itself (null if it is new) and the documents whose edges the body may add or remove. */
export async function lockRelated(
  transaction: Transaction,
  locks: Locks,
  blueprint: Blueprint,
  documentId: string | null,
  input: ShapeInput,
  targets: Targets,
) {
  const keys = new Set(documentId === null ? [] : [documentId])
  const contested: EdgesTo[] = []
  for (const sent of input.values()) {
    if (sent.kind !== 'edges') continue
    const inverse = blueprint.inverses.get(sent.attribute.name)
    const relation = blueprint.owned.get(sent.attribute.name)?.relation ?? 0
    if (!inverse && !blueprint.exclusive.has(relation)) continue
    const named = referencesOf(sent.operation).flatMap((one) => targets.find(one)?.documentId ?? [])
    for (const key of named) keys.add(key)
    if (!inverse) contested.push({ table: blueprint.type.table, relation, targets: named })
    else if (documentId !== null)
      contested.push({ table: inverse.owner.table, relation: inverse.relation, targets: [documentId] })
  }
  if (contested.length === 0) return locks.acquire(keys)
  for (const key of await ownersOf(transaction, contested)) keys.add(key)
  locks.acquire(keys)
  // Other writes may have added owners while this one waited for the locks.
  locks.acquireMore(await ownersOf(transaction, contested))
}

/** The documents that own such edges now. */
async function ownersOf(transaction: Transaction, edges: readonly EdgesTo[]): Promise<string[]> {
  const { dialect } = transaction
  const build = () =>
    sql.join(
      edges.map(
        ({ table }) => sql`select o.document_id from ${sql.table(EDGES)} as e
          join ${sql.table(table)} as o on o.id = e.source
          where ${inTextList(dialect, sql.ref('e.target'))} and +e.relation = ${placeholder}`,
      ),
      ' union ',
    )
  const parameters = edges.flatMap((one): SqlValue[] => [JSON.stringify(one.targets), one.relation])
  const shape = `owners of|${edges.map(({ table }) => table).join()}`
  const rows = await transaction.all(statement(dialect, shape, build, parameters))
  return rows.map((row) => String(row.document_id))
}
