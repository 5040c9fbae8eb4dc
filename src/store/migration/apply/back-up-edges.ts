/** Backs up edges: all of a relation, or those that satisfy a condition. */
import { type Sql, sql } from '../../sql.ts'
import { EDGES } from '../../tables/layout.ts'
import { backupKey, recordBackup } from './backups.ts'
import type { MigrationRun, RowChanges } from './migration-run.ts'

/** Removes a relation from use. Its edges become a backup; a relation without edges is deleted. */
export async function backUpRelation(run: MigrationRun, relation: number, of: string) {
  const key = keyOf(run, relation)
  if (key === undefined) return
  run.relationIds.delete(key)
  const [edge] = await run.read(
    sql`SELECT 1 AS found FROM ${sql.table(EDGES)} WHERE relation = ${relation} LIMIT 1`,
  )
  if (!edge) return run.execute(sql`DELETE FROM octavo_relations WHERE id = ${relation}`)
  run.execute(sql`UPDATE octavo_relations SET key = ${backupKey(key, relation)} WHERE id = ${relation}`)
  recordBackup(run.transaction, of, run.startedAt, { kind: 'edges', relation })
}

/** Moves some edges of a relation to a backup; `condition` refers to them as `edge`. */
export async function backUpEdges(
  run: RowChanges,
  relation: number,
  condition: Sql,
  of: string,
): Promise<void> {
  const edges = sql.table(EDGES)
  const [edge] = await run.read(
    sql`SELECT 1 AS found FROM ${edges} AS edge WHERE relation = ${relation} AND ${condition} LIMIT 1`,
  )
  if (!edge) return
  const backup = (await lastRelationId(run)) + 1
  const key = backupKey(keyOf(run, relation) ?? '', backup)
  run.execute(sql`INSERT INTO octavo_relations (id, key) VALUES (${backup}, ${key})`)
  run.execute(
    sql`UPDATE ${edges} AS edge SET relation = ${backup} WHERE relation = ${relation} AND ${condition}`,
  )
  recordBackup(run.transaction, of, run.startedAt, { kind: 'edges', relation: backup })
}

const keyOf = ({ relationIds }: RowChanges, relation: number) =>
  [...relationIds].find(([, id]) => id === relation)?.[0]

export async function lastRelationId({ read }: RowChanges): Promise<number> {
  const [row] = await read(sql`SELECT max(id) AS last FROM octavo_relations`)
  return Number(row?.last ?? 0)
}
