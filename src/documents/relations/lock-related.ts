/** Which other documents a write changes through its relations: they are locked before it begins. */
import { sql } from '../../store/sql.ts'
import type { SqlValue } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { EDGES } from '../../store/tables/layout.ts'
import { referencesOf, type ShapeInput } from '../input/body.ts'
import type { Locks } from '../locks.ts'
import type { Blueprint } from '../rows/blueprint.ts'
import { amongTexts, place, statement } from '../rows/statement.ts'
import type { Targets } from './targets.ts'

/** Edges of a relation to some targets, whoever owns them. */
interface Question {
  readonly owner: string
  readonly relation: number
  readonly targets: readonly string[]
}

/** Whether a body changes other documents than the one it is for. */
export const isContested = ({ inverses, owned, exclusive }: Blueprint, input: ShapeInput): boolean =>
  [...input.values()].some(
    ({ kind, attribute: { name } }) =>
      kind === 'edges' && (inverses.has(name) || exclusive.has(owned.get(name)?.relation ?? 0)),
  )

/** Locks the document itself (null when it is new) and those whose edges the body may take or give. */
export async function lockContested(
  transaction: Transaction,
  locks: Locks,
  blueprint: Blueprint,
  documentId: string | null,
  input: ShapeInput,
  targets: Targets,
) {
  const keys = new Set(documentId === null ? [] : [documentId])
  const questions: Question[] = []
  for (const sent of input.values()) {
    if (sent.kind !== 'edges') continue
    const inverse = blueprint.inverses.get(sent.attribute.name)
    const relation = blueprint.owned.get(sent.attribute.name)?.relation ?? 0
    if (!inverse && !blueprint.exclusive.has(relation)) continue
    const named = referencesOf(sent.operation).flatMap((one) => targets.find(one)?.documentId ?? [])
    for (const key of named) keys.add(key)
    if (!inverse) questions.push({ owner: blueprint.type.table, relation, targets: named })
    else if (documentId !== null) {
      questions.push({ owner: inverse.owner.table, relation: inverse.relation, targets: [documentId] })
    }
  }
  if (questions.length === 0) return locks.begin(keys)
  for (const key of await ownersOf(transaction, questions)) keys.add(key)
  locks.begin(keys)
  // Who came while we waited is in the way too.
  locks.add(await ownersOf(transaction, questions))
}

/** The documents that have such edges now. */
async function ownersOf(transaction: Transaction, questions: readonly Question[]): Promise<string[]> {
  const { dialect } = transaction
  const build = () =>
    sql.join(
      questions.map(
        ({ owner }) => sql`select o.document_id from ${sql.table(EDGES)} as e
          join ${sql.table(owner)} as o on o.id = e.source
          where ${amongTexts(dialect, sql.ref('e.target'))} and +e.relation = ${place}`,
      ),
      ' union ',
    )
  const parameters = questions.flatMap((one): SqlValue[] => [JSON.stringify(one.targets), one.relation])
  const shape = `contested|${questions.map(({ owner }) => owner).join()}`
  const rows = await transaction.all(statement(dialect, shape, build, parameters))
  return rows.map((row) => String(row.document_id))
}
