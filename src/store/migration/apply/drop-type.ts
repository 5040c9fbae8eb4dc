/** Drops the table of a content-type, or backs it up if it holds content. */
import type { ContentType } from '../../../model/model.ts'
import { sql } from '../../sql.ts'
import { EDGES } from '../../tables/layout.ts'
import type { ChangeImpact } from '../plan/migration-plan.ts'
import { dropAutomaticIndexes } from './automatic-indexes.ts'
import { backUpEdges } from './back-up-edges.ts'
import { backupTableName, recordBackup, renameBackedUpTable } from './backups.ts'
import type { MigrationRun } from './migration-run.ts'

/** Relations owned by the type are backed up later, with all others that the next model does not have. */
export async function dropType(run: MigrationRun, type: ContentType, { effect }: ChangeImpact) {
  const { table, uid } = type
  for (const { name } of run.tables.get(uid)?.indexes ?? []) {
    run.execute(sql`DROP INDEX IF EXISTS ${sql.id(name)}`)
  }
  dropAutomaticIndexes(run, table)
  const relations = await run.read(
    sql`SELECT DISTINCT relation FROM ${sql.table(EDGES)} WHERE target_type = ${uid}`,
  )
  for (const { relation } of relations)
    await backUpEdges(run, Number(relation), sql`edge.target_type = ${uid}`, `relations to ${uid}`)
  if (effect === 'empty') run.execute(sql`DROP TABLE ${sql.table(table)}`)
  else {
    const backup = backupTableName(table, run.startedAt)
    run.execute(sql`ALTER TABLE ${sql.table(table)} RENAME TO ${sql.id(backup)}`)
    await renameBackedUpTable(run.transaction, table, backup)
    recordBackup(run.transaction, uid, run.startedAt, { kind: 'table', table: backup })
  }
  run.execute(sql`DELETE FROM octavo_meta WHERE key = ${`type:${uid}`}`)
  run.transaction.touch(table)
}
