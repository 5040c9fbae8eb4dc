/** Tables and columns that go, and columns whose values are converted. */
import type { Attribute, ContentType, ScalarAttribute } from '../../../model/model.ts'
import { scalars } from '../../../model/scalars/index.ts'
import { sql } from '../../sql.ts'
import { columnOf, EDGES } from '../../tables/layout.ts'
import { identifier } from '../../tables/tables.ts'
import { convert } from '../convert-value.ts'
import { filledRows } from '../inspect/inspection-context.ts'
import type { Change, KeptType } from '../plan/change.ts'
import type { Finding } from '../plan/migration-plan.ts'
import { asideColumn, asideTable, moveBackups, noteBackup } from './backups.ts'
import { dropIndexesOn, setEdgesAside, type Work } from './migration-run.ts'

/** Takes a content-type's table out of use; an empty one is dropped. Its relations follow when none is wanted any more. */
export async function dropType(work: Work, type: ContentType, { effect }: Finding) {
  const { table, uid } = type
  for (const { name } of work.states.get(uid)?.indexes ?? []) {
    work.run(sql`DROP INDEX IF EXISTS ${sql.id(name)}`)
  }
  const targeting = await work.ask(
    sql`SELECT DISTINCT relation FROM ${sql.table(EDGES)} WHERE target_type = ${uid}`,
  )
  for (const { relation } of targeting)
    await setEdgesAside(work, Number(relation), sql`edge.target_type = ${uid}`, `relations to ${uid}`)
  if (effect === 'empty') work.run(sql`DROP TABLE ${sql.table(table)}`)
  else {
    const aside = asideTable(table, work.at)
    work.run(sql`ALTER TABLE ${sql.table(table)} RENAME TO ${sql.id(aside)}`)
    await moveBackups(work.transaction, table, aside)
    noteBackup(work.transaction, uid, work.at, { kind: 'table', table: aside })
  }
  work.run(sql`DELETE FROM octavo_meta WHERE key = ${`type:${uid}`}`)
  work.transaction.touch(table)
}

/** Takes a column of a content-type out of use; an empty one is dropped. */
export function dropColumn(work: Work, on: KeptType, attribute: Attribute, { effect }: Finding) {
  const { former, next } = on
  const column = columnOf(attribute.name)
  dropIndexesOn(work, former.uid, column)
  if (effect === 'empty')
    return work.run(sql`ALTER TABLE ${sql.table(next.table)} DROP COLUMN ${sql.id(column)}`)
  setColumnAside(work, on, attribute, column)
}

function setColumnAside(work: Work, on: KeptType, { name }: Attribute, column: string) {
  const { table } = on.next
  const aside = asideColumn(name, work.at)
  work.run(sql`ALTER TABLE ${sql.table(table)} RENAME COLUMN ${sql.id(column)} TO ${sql.id(aside)}`)
  noteBackup(work.transaction, `${on.next.uid}, attribute ${name}`, work.at, {
    kind: 'column',
    table,
    column: aside,
  })
  return aside
}

/** Keeps a copy of a column that is about to lose some of its content. */
export function copyColumnAside(work: Work, on: KeptType, { name }: Attribute, type: string) {
  const table = sql.table(on.next.table)
  const aside = asideColumn(name, work.at)
  work.run(sql`ALTER TABLE ${table} ADD COLUMN ${sql.id(aside)} ${sql.raw(type)}`)
  work.run(sql`UPDATE ${table} SET ${sql.id(aside)} = ${sql.id(columnOf(name))}`)
  noteBackup(work.transaction, `${on.next.uid}, attribute ${name}`, work.at, {
    kind: 'column',
    table: on.next.table,
    column: aside,
  })
}

/** Puts converted values into a column of the new type; the former column stays when anything was lost. */
export async function convertColumn(
  work: Work,
  change: Extract<Change, { kind: 'convertValues' }>,
  { effect }: Finding,
) {
  const { on, from, to } = change
  if (on.kind !== 'type') return
  const table = sql.table(on.next.table)
  const column = columnOf(to.name)
  for (const indexed of [columnOf(from.name), column]) dropIndexesOn(work, on.former.uid, indexed)
  const former =
    effect === 'lossy' ? setColumnAside(work, on, to, column) : renameForNow(work, on.next.table, column)
  const type = scalars[to.type].column[work.engine]
  work.run(sql`ALTER TABLE ${table} ADD COLUMN ${sql.id(column)} ${sql.raw(type)}`)
  for await (const rows of filledRows(work, on.next.table, former)) {
    const values = rows.flatMap(({ id, value }): [number, string][] => {
      const result = value === null ? null : convert(value, from, to)
      return result?.ok ? [[id, String(result.value)]] : []
    })
    setValues(work, on.next.table, to, values)
  }
  if (effect !== 'lossy') work.run(sql`ALTER TABLE ${table} DROP COLUMN ${sql.id(former)}`)
}

function renameForNow(work: Work, table: string, column: string) {
  // A name of its own: PostgreSQL remembers what type a column had in a statement.
  const name = identifier(`octavo_converting_${column}`)
  work.run(sql`ALTER TABLE ${sql.table(table)} RENAME COLUMN ${sql.id(column)} TO ${sql.id(name)}`)
  return name
}

/** Values travel as text; the column makes of them what it holds. */
function setValues(
  { engine, run }: Work,
  table: string,
  to: ScalarAttribute,
  values: readonly (readonly [id: number, value: string])[],
) {
  if (values.length === 0) return
  const [target, column, list] = [sql.table(table), sql.id(columnOf(to.name)), JSON.stringify(values)]
  const type = sql.raw(scalars[to.type].column.postgres.replace(/ COLLATE.*/, ''))
  run(
    engine === 'sqlite'
      ? sql`UPDATE ${target} SET ${column} = item.value ->> 1
          FROM json_each(${list}) AS item WHERE ${target}.id = item.value ->> 0`
      : sql`UPDATE ${target} SET ${column} = (item.value ->> 1)::${type}
          FROM json_array_elements(${list}::json) AS item WHERE ${target}.id = (item.value ->> 0)::bigint`,
  )
}
