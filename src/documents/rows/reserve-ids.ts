/**
 * What SQLite is asked before it inserts: the ids that new rows will have, and where edges come in the lists of their
 * targets. A statement that looked this up itself would put all it inserts into a temporary table first. Writes run one
 * at a time there, so the answers hold.
 */
import { sql } from '../../store/sql.ts'
import type { SqlValue } from '../../store/statement.ts'
import type { Transaction } from '../../store/store.ts'
import { EDGES } from '../../store/tables/layout.ts'
import type { EdgeKey } from './edge-rows.ts'
import { place, statement } from './statement.ts'

interface Ahead {
  /** The id of the next row of the table; those after it follow. */
  readonly nextId: number
  /** For each edge the place behind all in the list of its target. */
  readonly places: readonly number[]
}

/** Places asked for in one statement. */
const MOST_PLACES = 32

/** Looks ahead for new rows of a table and new edges. */
export async function lookAhead(
  transaction: Transaction,
  table: string,
  edges: readonly Pick<EdgeKey, 'relation' | 'target'>[],
): Promise<Ahead> {
  const places: number[] = []
  let nextId = 1
  do {
    const some = edges.slice(places.length, places.length + MOST_PLACES)
    const parameters: SqlValue[] = [table]
    for (const { target, relation } of some) parameters.push(target, relation)
    const shape = `ahead|${table}|${some.length}`
    const build = () => question(table, some.length)
    const [row] = await transaction.all(statement(transaction.dialect, shape, build, parameters))
    nextId = Number(row?.id ?? 0) + 1
    for (const name of NAMES.slice(0, some.length)) places.push(Number(row?.[name] ?? 0) + 1)
  } while (places.length < edges.length)
  return { nextId, places }
}

const NAMES = Array.from({ length: MOST_PLACES }, (_, index) => `p${index}`)

function question(table: string, places: number) {
  const last = sql`(select max(inverse_position) from ${sql.table(EDGES)} where target = ${place} and relation = ${place})`
  const lasts = NAMES.slice(0, places).map((name) => sql`${last} as ${sql.id(name)}`)
  // The ids of rows that are gone are never used again; nor may one that is there, should the sequence be behind.
  const given = sql`(select seq from sqlite_sequence where name = ${place})`
  const used = sql`(select max(id) from ${sql.table(table)})`
  return sql`select ${sql.join([sql`max(coalesce(${given}, 0), coalesce(${used}, 0)) as id`, ...lasts])}`
}
