/** Renames: tables, columns and the keys of relations get their new names, with everything that is in them. */

import { sql } from '../../sql.ts'
import { columnOf, EDGES, type RelationKey, relationKeyText } from '../../tables/layout.ts'
import { hasColumn } from '../inspect/inspection-context.ts'
import type { Change, MatchedType } from '../plan/change.ts'
import { isBackupKey, renameBackedUpTable } from './backups.ts'
import type { MigrationRun } from './migration-run.ts'

/** Gives every kept content-type its new table. Names may be exchanged, so all leave before any arrives. */
export async function renameTables(run: MigrationRun, types: readonly MatchedType[]) {
  const moving = types.filter(({ previous, next }) => previous.table !== next.table)
  const targets = new Set(moving.map(({ previous }) => previous.table))
  const inTheWay = moving.some(({ next }) => targets.has(next.table))
  const rename = (from: string, to: string) =>
    run.execute(sql`ALTER TABLE ${sql.table(from)} RENAME TO ${sql.id(to)}`)
  const names = moving.map((_, index) => `octavo_moving_${index}`)
  // Indexes are called after their table; they are made again under its new name.
  for (const { previous } of moving) {
    for (const { name } of run.tableStates.get(previous.uid)?.indexes ?? [])
      run.execute(sql`DROP INDEX IF EXISTS ${sql.id(name)}`)
  }
  if (inTheWay) {
    for (const [index, { previous }] of moving.entries()) rename(previous.table, names[index] ?? '')
  }
  for (const [index, { previous, next }] of moving.entries()) {
    rename(inTheWay ? (names[index] ?? '') : previous.table, next.table)
    await renameBackedUpTable(run.transaction, previous.table, next.table)
  }
}

/** Gives relations the keys of the next model, and polymorphic edges the new uids of their targets. */
export function renameRelations(run: MigrationRun, changes: readonly Change[]) {
  const renames = changes.filter(
    (change) =>
      change.kind === 'renameType' || change.kind === 'renameComponent' || change.kind === 'renameAttribute',
  )
  for (const [key, id] of [...run.relationIds]) {
    if (isBackupKey(key)) continue
    const next = relationKeyText(renames.reduceRight(renamed, keyFromText(key)))
    if (next === key) continue
    run.relationIds.delete(key)
    run.relationIds.set(next, id)
    run.execute(sql`UPDATE octavo_relations SET key = ${next} WHERE id = ${id}`)
  }
  for (const change of renames) {
    if (change.kind !== 'renameType') continue
    const { previous, next } = change.on
    run.execute(
      sql`UPDATE ${sql.table(EDGES)} SET target_type = ${next.uid} WHERE target_type = ${previous.uid}`,
    )
  }
}

type Rename = Extract<Change, { kind: 'renameType' | 'renameComponent' | 'renameAttribute' }>

/** Attributes are renamed by the previous uid of what they are on, so they come before it: changes list them after. */
function renamed(key: RelationKey, change: Rename): RelationKey {
  const { previous, next } = change.on
  switch (change.kind) {
    case 'renameType':
      return key.type === previous.uid ? { ...key, type: next.uid } : key
    case 'renameComponent':
      return key.component === previous.uid ? { ...key, component: next.uid } : key
    case 'renameAttribute': {
      const owner = key.component ?? key.type
      return owner === previous.uid && key.attribute === change.from.name
        ? { ...key, attribute: change.to.name }
        : key
    }
  }
}

function keyFromText(text: string): RelationKey {
  const [type = '', component = '', attribute = ''] = text.split('|')
  return { type, component: component === '' ? null : component, attribute }
}

/** Gives a column of a content-type its new name. */
export function renameColumn(run: MigrationRun, change: Extract<Change, { kind: 'renameAttribute' }>) {
  const { on, from, to } = change
  if (on.kind !== 'type' || !hasColumn(from) || !hasColumn(to)) return
  run.execute(
    sql`ALTER TABLE ${sql.table(on.next.table)}
      RENAME COLUMN ${sql.id(columnOf(from.name))} TO ${sql.id(columnOf(to.name))}`,
  )
}
