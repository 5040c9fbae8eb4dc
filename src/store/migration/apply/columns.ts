/** Tables and columns that go, and columns whose values are converted. */
import type { Attribute, ContentType, ScalarAttribute } from '../../../model/model.ts'
import { scalarTypes } from '../../../model/scalars/index.ts'
import { sql } from '../../sql.ts'
import { columnOf, EDGES } from '../../tables/layout.ts'
import { identifier } from '../../tables/tables.ts'
import { convertValue } from '../convert-value.ts'
import { readFilledRows } from '../inspect/inspection-context.ts'
import type { Change, MatchedType } from '../plan/change.ts'
import type { ChangeImpact } from '../plan/migration-plan.ts'
import { backupColumnName, backupTableName, recordBackup, renameBackedUpTable } from './backups.ts'
import { backUpEdges, dropIndexesOn, type MigrationRun } from './migration-run.ts'

/** Takes a content-type's table out of use; an empty one is dropped. Its relations follow when none is wanted any more. */
export async function dropType(run: MigrationRun, type: ContentType, { effect }: ChangeImpact) {
  const { table, uid } = type
  for (const { name } of run.tableStates.get(uid)?.indexes ?? []) {
    run.execute(sql`DROP INDEX IF EXISTS ${sql.id(name)}`)
  }
  const targeting = await run.read(
    sql`SELECT DISTINCT relation FROM ${sql.table(EDGES)} WHERE target_type = ${uid}`,
  )
  for (const { relation } of targeting)
    await backUpEdges(run, Number(relation), sql`edge.target_type = ${uid}`, `relations to ${uid}`)
  if (effect === 'empty') run.execute(sql`DROP TABLE ${sql.table(table)}`)
  else {
    const aside = backupTableName(table, run.startedAt)
    run.execute(sql`ALTER TABLE ${sql.table(table)} RENAME TO ${sql.id(aside)}`)
    await renameBackedUpTable(run.transaction, table, aside)
    recordBackup(run.transaction, uid, run.startedAt, { kind: 'table', table: aside })
  }
  run.execute(sql`DELETE FROM octavo_meta WHERE key = ${`type:${uid}`}`)
  run.transaction.touch(table)
}

/** Takes a column of a content-type out of use; an empty one is dropped. */
export function dropColumn(
  run: MigrationRun,
  on: MatchedType,
  attribute: Attribute,
  { effect }: ChangeImpact,
) {
  const { previous, next } = on
  const column = columnOf(attribute.name)
  dropIndexesOn(run, previous.uid, column)
  if (effect === 'empty')
    return run.execute(sql`ALTER TABLE ${sql.table(next.table)} DROP COLUMN ${sql.id(column)}`)
  renameToBackup(run, on, attribute, column)
}

function renameToBackup(run: MigrationRun, on: MatchedType, { name }: Attribute, column: string) {
  const { table } = on.next
  const aside = backupColumnName(name, run.startedAt)
  run.execute(sql`ALTER TABLE ${sql.table(table)} RENAME COLUMN ${sql.id(column)} TO ${sql.id(aside)}`)
  recordBackup(run.transaction, `${on.next.uid}, attribute ${name}`, run.startedAt, {
    kind: 'column',
    table,
    column: aside,
  })
  return aside
}

/** Keeps a copy of a column that is about to lose some of its content. */
export function copyToBackup(run: MigrationRun, on: MatchedType, { name }: Attribute, type: string) {
  const table = sql.table(on.next.table)
  const aside = backupColumnName(name, run.startedAt)
  run.execute(sql`ALTER TABLE ${table} ADD COLUMN ${sql.id(aside)} ${sql.raw(type)}`)
  run.execute(sql`UPDATE ${table} SET ${sql.id(aside)} = ${sql.id(columnOf(name))}`)
  recordBackup(run.transaction, `${on.next.uid}, attribute ${name}`, run.startedAt, {
    kind: 'column',
    table: on.next.table,
    column: aside,
  })
}

/** Puts converted values into a column of the new type; the previous column stays when anything was lost. */
export async function convertColumn(
  run: MigrationRun,
  change: Extract<Change, { kind: 'convertValues' }>,
  { effect }: ChangeImpact,
) {
  const { on, from, to } = change
  if (on.kind !== 'type') return
  const table = sql.table(on.next.table)
  const column = columnOf(to.name)
  for (const indexed of [columnOf(from.name), column]) dropIndexesOn(run, on.previous.uid, indexed)
  const previous =
    effect === 'lossy' ? renameToBackup(run, on, to, column) : renameTemporarily(run, on.next.table, column)
  const type = scalarTypes[to.type].column[run.dialect.name]
  run.execute(sql`ALTER TABLE ${table} ADD COLUMN ${sql.id(column)} ${sql.raw(type)}`)
  for await (const rows of readFilledRows(run, on.next.table, previous)) {
    const values = rows.flatMap(({ id, value }): [number, string][] => {
      const result = value === null ? null : convertValue(value, from, to)
      return result?.ok ? [[id, String(result.value)]] : []
    })
    setValues(run, on.next.table, to, values)
  }
  if (effect !== 'lossy') run.execute(sql`ALTER TABLE ${table} DROP COLUMN ${sql.id(previous)}`)
}

function renameTemporarily(run: MigrationRun, table: string, column: string) {
  // A name of its own: PostgreSQL remembers what type a column had in a statement.
  const name = identifier(`octavo_converting_${column}`)
  run.execute(sql`ALTER TABLE ${sql.table(table)} RENAME COLUMN ${sql.id(column)} TO ${sql.id(name)}`)
  return name
}

/** Values travel as text; the column makes of them what it holds. */
function setValues(
  { dialect, execute }: MigrationRun,
  table: string,
  to: ScalarAttribute,
  values: readonly (readonly [id: number, value: string])[],
) {
  if (values.length === 0) return
  const [target, column, list] = [sql.table(table), sql.id(columnOf(to.name)), JSON.stringify(values)]
  const value = dialect.toColumnType(sql`item.value ->> 1`, scalarTypes[to.type].column[dialect.name])
  execute(sql`UPDATE ${target} SET ${column} = ${value}
    FROM ${dialect.jsonItems(sql`${list}`)} WHERE ${target}.id = CAST(item.value ->> 0 AS bigint)`)
}
