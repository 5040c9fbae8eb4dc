/** Which documents a write keeps others from writing: its own, and those whose edges it may take or give. */
import { sql } from 'kysely'
import { EDGES } from '../store/layout.ts'
import type { SqlValue, Transaction } from '../store/store.ts'
import type { Blueprint } from './blueprint.ts'
import { referencesOf, type ShapeInput } from './body.ts'
import type { Targets } from './relations/targets.ts'
import { amongTexts, place, statement } from './statement.ts'

/** Locks the document itself and every other one that a write through it may change. */
export async function lockDocuments(
  transaction: Transaction,
  blueprint: Blueprint,
  documentId: string | null,
  input: ShapeInput,
  targets: Targets,
) {
  const keys = new Set(documentId === null ? [] : [documentId])
  const questions: {
    readonly owner: string
    readonly relation: number
    readonly targets: readonly string[]
  }[] = []
  for (const sent of input.values()) {
    if (sent.kind !== 'edges') continue
    const { name } = sent.attribute
    const named = referencesOf(sent.operation).flatMap((one) => targets.find(one)?.documentId ?? [])
    const inverse = blueprint.inverses.get(name)
    const owned = blueprint.owned.get(name)
    if (inverse) {
      for (const key of named) keys.add(key)
      const { owner, relation } = inverse
      if (documentId !== null) questions.push({ owner: owner.table, relation, targets: [documentId] })
    } else if (owned && blueprint.exclusive.has(owned.relation) && named.length > 0) {
      for (const key of named) keys.add(key)
      questions.push({ owner: blueprint.type.table, relation: owned.relation, targets: named })
    }
  }
  for (const key of await ownersOf(transaction, questions)) keys.add(key)
  await transaction.lock([...keys].sort())
}

/** The documents that have edges to the targets now. */
async function ownersOf(
  transaction: Transaction,
  questions: readonly {
    readonly owner: string
    readonly relation: number
    readonly targets: readonly string[]
  }[],
): Promise<readonly string[]> {
  if (questions.length === 0) return []
  const { engine } = transaction
  const build = () =>
    sql.join(
      questions.map(
        ({ owner }) => sql`select o.document_id from ${sql.table(EDGES)} as e
          join ${sql.table(owner)} as o on o.id = e.source
          where ${amongTexts(engine, sql.ref('e.target'))} and +e.relation = ${place}`,
      ),
      sql` union `,
    )
  const parameters = questions.flatMap((one): SqlValue[] => [JSON.stringify(one.targets), one.relation])
  const shape = `locks|${questions.map(({ owner }) => owner).join()}`
  const rows = await transaction.all(statement(engine, shape, build, parameters))
  return rows.map((row) => String(row.document_id))
}
