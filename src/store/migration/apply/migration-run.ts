/** A migration while it is applied: its transaction, the moment it happens, and the names that relations have by now. */
import { compile } from '../../compile.ts'
import { type Sql, sql } from '../../sql.ts'
import type { Transaction } from '../../store.ts'
import { EDGES } from '../../tables/layout.ts'
import type { TypeTable } from '../../tables/tables.ts'
import type { Ground } from '../inspect/inspection-context.ts'
import type { Transition } from '../plan/match-models.ts'
import { asideKey, noteBackup } from './backups.ts'

export interface Work extends Ground {
  readonly transaction: Transaction
  readonly at: Date
  /** Numbers of relations by the keys they have now. */
  readonly keys: Map<string, number>
  /** What the database has for each content-type, by former uid. */
  readonly states: ReadonlyMap<string, TypeTable>
  run(query: Sql): void
}

export const workOf = (
  transaction: Transaction,
  transition: Transition,
  relations: ReadonlyMap<string, number>,
  states: ReadonlyMap<string, TypeTable>,
): Work => ({
  transaction,
  transition,
  relations,
  states,
  engine: transaction.engine,
  at: new Date(),
  keys: new Map(relations),
  ask: (query) => transaction.all(compile(transaction.engine, query)),
  run: (query) => transaction.run(compile(transaction.engine, query)),
})

/** Drops the indexes that cover a column of a content-type; those still wanted are made again later. */
export function dropIndexesOn({ states, run }: Work, formerUid: string, column: string) {
  for (const { name, parts } of states.get(formerUid)?.indexes ?? []) {
    if (parts.some((part) => part.column === column)) run(sql`DROP INDEX IF EXISTS ${sql.id(name)}`)
  }
}

/** Takes a relation out of use with all its edges. Without edges nothing is left of it. */
export async function setRelationAside(work: Work, relation: number, of: string) {
  const [key] = [...work.keys].find(([, id]) => id === relation) ?? []
  if (key === undefined) return
  work.keys.delete(key)
  const [edge] = await work.ask(
    sql`SELECT 1 AS found FROM ${sql.table(EDGES)} WHERE relation = ${relation} LIMIT 1`,
  )
  if (!edge) return work.run(sql`DELETE FROM octavo_relations WHERE id = ${relation}`)
  work.run(sql`UPDATE octavo_relations SET key = ${asideKey(key, relation)} WHERE id = ${relation}`)
  noteBackup(work.transaction, of, work.at, { kind: 'edges', relation })
}

/** Takes some edges of a relation out of use; `which` speaks of them as `edge`. */
export async function setEdgesAside(work: Work, relation: number, which: Sql, of: string): Promise<void> {
  const edges = sql.table(EDGES)
  const [found] = await work.ask(
    sql`SELECT 1 AS found FROM ${edges} AS edge WHERE relation = ${relation} AND ${which} LIMIT 1`,
  )
  if (!found) return
  const [row] = await work.ask(sql`SELECT max(id) AS last FROM octavo_relations`)
  const aside = Number(row?.last) + 1
  const [key = ''] = [...work.keys].find(([, id]) => id === relation) ?? []
  work.run(sql`INSERT INTO octavo_relations (id, key) VALUES (${aside}, ${asideKey(key, aside)})`)
  work.run(sql`UPDATE ${edges} AS edge SET relation = ${aside} WHERE relation = ${relation} AND ${which}`)
  noteBackup(work.transaction, of, work.at, { kind: 'edges', relation: aside })
}
