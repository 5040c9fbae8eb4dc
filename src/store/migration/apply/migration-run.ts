/** A migration while it is applied: its transaction, the moment it happens, and the names that relations have by now. */
import { compile } from '../../compile.ts'
import { type Sql, sql } from '../../sql.ts'
import type { Transaction } from '../../store.ts'
import { EDGES } from '../../tables/layout.ts'
import type { TypeTable } from '../../tables/tables.ts'
import type { InspectionContext } from '../inspect/inspection-context.ts'
import type { ModelTransition } from '../plan/match-models.ts'
import { backupKey, recordBackup } from './backups.ts'

export interface MigrationRun extends InspectionContext {
  readonly transaction: Transaction
  readonly startedAt: Date
  /** Numbers of relations by the keys they have now. */
  readonly relationIds: Map<string, number>
  /** What the database has for each content-type, by previous uid. */
  readonly tableStates: ReadonlyMap<string, TypeTable>
  execute(query: Sql): void
}

export const createMigrationRun = (
  transaction: Transaction,
  transition: ModelTransition,
  relations: ReadonlyMap<string, number>,
  states: ReadonlyMap<string, TypeTable>,
): MigrationRun => ({
  transaction,
  transition,
  relations,
  tableStates: states,
  dialect: transaction.dialect,
  startedAt: new Date(),
  relationIds: new Map(relations),
  read: (query) => transaction.all(compile(transaction.dialect, query)),
  execute: (query) => transaction.run(compile(transaction.dialect, query)),
})

/** Drops the indexes that cover a column of a content-type; those still wanted are made again later. */
export function dropIndexesOn(
  { tableStates: states, execute: run }: MigrationRun,
  previousUid: string,
  column: string,
) {
  for (const { name, parts } of states.get(previousUid)?.indexes ?? []) {
    if (parts.some((part) => part.column === column)) run(sql`DROP INDEX IF EXISTS ${sql.id(name)}`)
  }
}

/** Takes a relation out of use with all its edges. Without edges nothing is left of it. */
export async function backUpRelation(run: MigrationRun, relation: number, of: string) {
  const [key] = [...run.relationIds].find(([, id]) => id === relation) ?? []
  if (key === undefined) return
  run.relationIds.delete(key)
  const [edge] = await run.read(
    sql`SELECT 1 AS found FROM ${sql.table(EDGES)} WHERE relation = ${relation} LIMIT 1`,
  )
  if (!edge) return run.execute(sql`DELETE FROM octavo_relations WHERE id = ${relation}`)
  run.execute(sql`UPDATE octavo_relations SET key = ${backupKey(key, relation)} WHERE id = ${relation}`)
  recordBackup(run.transaction, of, run.startedAt, { kind: 'edges', relation })
}

/** Takes some edges of a relation out of use; `which` speaks of them as `edge`. */
export async function backUpEdges(
  run: MigrationRun,
  relation: number,
  which: Sql,
  of: string,
): Promise<void> {
  const edges = sql.table(EDGES)
  const [found] = await run.read(
    sql`SELECT 1 AS found FROM ${edges} AS edge WHERE relation = ${relation} AND ${which} LIMIT 1`,
  )
  if (!found) return
  const [row] = await run.read(sql`SELECT max(id) AS last FROM octavo_relations`)
  const aside = Number(row?.last) + 1
  const [key = ''] = [...run.relationIds].find(([, id]) => id === relation) ?? []
  run.execute(sql`INSERT INTO octavo_relations (id, key) VALUES (${aside}, ${backupKey(key, aside)})`)
  run.execute(sql`UPDATE ${edges} AS edge SET relation = ${aside} WHERE relation = ${relation} AND ${which}`)
  recordBackup(run.transaction, of, run.startedAt, { kind: 'edges', relation: aside })
}
