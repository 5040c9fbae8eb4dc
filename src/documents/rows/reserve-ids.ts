/**
 * Reads, before an insert on SQLite, the ids that new rows will have and the positions of new edges in the lists of their
 * targets. An insert that selected these itself would first copy everything into a temporary table. SQLite runs one
 * write at a time, so nothing changes in between.
 */
import { sql } from '../../store/sql.ts'
import type { SqlValue } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { EDGES } from '../../store/tables/layout.ts'
import type { EdgeKey } from './edge-rows.ts'
import { placeholder, statement } from './statement.ts'

interface ReservedIds {
  /** The id of the next row of the table; further rows follow it. */
  readonly nextId: number
  /** For each edge, the position after the last one in the list of its target. */
  readonly positions: readonly number[]
}

/** Positions read by one statement. */
const MAX_POSITIONS = 32

export async function reserveIds(
  transaction: Transaction,
  table: string,
  edges: readonly Pick<EdgeKey, 'relation' | 'target'>[],
): Promise<ReservedIds> {
  const positions: number[] = []
  let nextId = 1
  do {
    const chunk = edges.slice(positions.length, positions.length + MAX_POSITIONS)
    const parameters: SqlValue[] = [table]
    for (const { target, relation } of chunk) parameters.push(target, relation)
    const shape = `reserve|${table}|${chunk.length}`
    const build = () => lastIds(table, chunk.length)
    const [row] = await transaction.all(statement(transaction.dialect, shape, build, parameters))
    nextId = Number(row?.id ?? 0) + 1
    for (const name of NAMES.slice(0, chunk.length)) positions.push(Number(row?.[name] ?? 0) + 1)
  } while (positions.length < edges.length)
  return { nextId, positions }
}

const NAMES = Array.from({ length: MAX_POSITIONS }, (_, index) => `p${index}`)

function lastIds(table: string, positions: number) {
  const last = sql`(select max(inverse_position) from ${sql.table(EDGES)} where target = ${placeholder} and relation = ${placeholder})`
  const lasts = NAMES.slice(0, positions).map((name) => sql`${last} as ${sql.id(name)}`)
  // Ids of deleted rows are never used again. An id in use is not either, should the sequence lag behind.
  const fromSequence = sql`(select seq from sqlite_sequence where name = ${placeholder})`
  const inUse = sql`(select max(id) from ${sql.table(table)})`
  return sql`select ${sql.join([sql`max(coalesce(${fromSequence}, 0), coalesce(${inUse}, 0)) as id`, ...lasts])}`
}
