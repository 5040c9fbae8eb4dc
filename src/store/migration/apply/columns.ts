/** Drops, backs up and converts columns. */
import type { Attribute, ScalarAttribute } from '../../../model/model.ts'
import { scalarTypes } from '../../../model/scalars/index.ts'
import { sql } from '../../sql.ts'
import { identifier } from '../../tables/identifier.ts'
import { columnOf } from '../../tables/layout.ts'
import { convertValue } from '../convert-value.ts'
import { readFilledRows } from '../inspect/affected-rows.ts'
import type { Change, MatchedType } from '../plan/change.ts'
import type { ChangeImpact } from '../plan/migration-plan.ts'
import { dropAutomaticIndexes } from './automatic-indexes.ts'
import { backupColumnName, recordBackup } from './backups.ts'
import type { MigrationRun } from './migration-run.ts'

/** Drops the column of an attribute, or backs it up if it holds content. */
export function dropColumn(
  run: MigrationRun,
  on: MatchedType,
  attribute: Attribute,
  { effect }: ChangeImpact,
) {
  const { next } = on
  const column = columnOf(attribute.name)
  dropIndexesOn(run, on, column)
  if (effect === 'empty')
    return run.execute(sql`ALTER TABLE ${sql.table(next.table)} DROP COLUMN ${sql.id(column)}`)
  renameToBackup(run, on, attribute)
}

/** Indexes that the next model still has are created again later. */
function dropIndexesOn(run: MigrationRun, { previous, next }: MatchedType, column: string) {
  for (const { name, parts } of run.tables.get(previous.uid)?.indexes ?? []) {
    if (parts.some((part) => part.column === column)) run.execute(sql`DROP INDEX IF EXISTS ${sql.id(name)}`)
  }
  dropAutomaticIndexes(run, next.table, column)
}

function renameToBackup(run: MigrationRun, on: MatchedType, attribute: Attribute): string {
  const backup = backupColumnName(attribute.name, run.startedAt)
  renameColumn(run, on.next.table, columnOf(attribute.name), backup)
  recordColumn(run, on, attribute, backup)
  return backup
}

/** Copies a column that is about to lose some of its content. */
export function copyToBackup(run: MigrationRun, on: MatchedType, attribute: Attribute, type: string) {
  const table = sql.table(on.next.table)
  const backup = backupColumnName(attribute.name, run.startedAt)
  run.execute(sql`ALTER TABLE ${table} ADD COLUMN ${sql.id(backup)} ${sql.raw(type)}`)
  run.execute(sql`UPDATE ${table} SET ${sql.id(backup)} = ${sql.id(columnOf(attribute.name))}`)
  recordColumn(run, on, attribute, backup)
}

const recordColumn = (run: MigrationRun, { next }: MatchedType, { name }: Attribute, column: string) =>
  recordBackup(run.transaction, `${next.uid}, attribute ${name}`, run.startedAt, {
    kind: 'column',
    table: next.table,
    column,
  })

export const renameColumn = (run: MigrationRun, table: string, from: string, to: string) =>
  run.execute(sql`ALTER TABLE ${sql.table(table)} RENAME COLUMN ${sql.id(from)} TO ${sql.id(to)}`)

/** Writes the converted values to a new column; the original column becomes a backup if anything is lost. */
export async function convertColumn(
  run: MigrationRun,
  change: Extract<Change, { kind: 'convertValues' }>,
  { effect }: ChangeImpact,
) {
  const { on, from, to } = change
  if (on.kind !== 'type') return
  const table = sql.table(on.next.table)
  const column = columnOf(to.name)
  for (const indexed of [columnOf(from.name), column]) dropIndexesOn(run, on, indexed)
  const original =
    effect === 'lossy' ? renameToBackup(run, on, to) : renameTemporarily(run, on.next.table, column)
  const type = scalarTypes[to.type].column[run.dialect.name]
  run.execute(sql`ALTER TABLE ${table} ADD COLUMN ${sql.id(column)} ${sql.raw(type)}`)
  for await (const rows of readFilledRows(run.read, on.next.table, original)) {
    const values = rows.flatMap(({ id, value }): [number, string][] => {
      const conversion = value === null ? null : convertValue(value, from, to)
      return conversion?.ok ? [[id, String(conversion.value)]] : []
    })
    setValues(run, on.next.table, to, values)
  }
  if (effect !== 'lossy') run.execute(sql`ALTER TABLE ${table} DROP COLUMN ${sql.id(original)}`)
}

function renameTemporarily(run: MigrationRun, table: string, column: string): string {
  // One name per column: PostgreSQL caches the type that a column has in a statement.
  const name = identifier(`octavo_converting_${column}`)
  renameColumn(run, table, column, name)
  return name
}

/** Values are passed as text and converted by the column. */
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
