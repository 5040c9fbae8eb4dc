/** Renames tables, columns and relation keys. */
import { sql } from '../../sql.ts'
import { columnOf, EDGES, type RelationKey, relationKeyText } from '../../tables/layout.ts'
import { hasColumn } from '../inspect/inspection-context.ts'
import type { Change, MatchedType } from '../plan/change.ts'
import { renameIndexedColumn, renameIndexedTables } from './automatic-indexes.ts'
import { isBackupKey, renameBackedUpTable } from './backups.ts'
import { renameColumn } from './columns.ts'
import type { MigrationRun } from './migration-run.ts'

/** Renames the tables of content-types. If names are exchanged, all tables get a temporary name first. */
export async function renameTables(run: MigrationRun, types: readonly MatchedType[]) {
  const renamed = types.filter(({ previous, next }) => previous.table !== next.table)
  const previousNames = new Set(renamed.map(({ previous }) => previous.table))
  const isExchange = renamed.some(({ next }) => previousNames.has(next.table))
  const rename = (from: string, to: string) =>
    run.execute(sql`ALTER TABLE ${sql.table(from)} RENAME TO ${sql.id(to)}`)
  const temporaryName = (index: number) => `octavo_moving_${index}`
  // Index names contain the table name; the indexes are created again later.
  for (const { previous } of renamed) {
    for (const { name } of run.tables.get(previous.uid)?.indexes ?? [])
      run.execute(sql`DROP INDEX IF EXISTS ${sql.id(name)}`)
  }
  if (isExchange) {
    for (const [index, { previous }] of renamed.entries()) rename(previous.table, temporaryName(index))
  }
  for (const [index, { previous, next }] of renamed.entries()) {
    rename(isExchange ? temporaryName(index) : previous.table, next.table)
    await renameBackedUpTable(run.transaction, previous.table, next.table)
  }
  renameIndexedTables(run, new Map(renamed.map(({ previous, next }) => [previous.table, next.table])))
}

type Rename = Extract<Change, { kind: 'renameType' | 'renameComponent' | 'renameAttribute' }>

/** Gives relations the keys of the next model, and polymorphic edges the new uids of their targets. */
export function renameRelations(run: MigrationRun, changes: readonly Change[]) {
  const renames = changes.filter(
    (change): change is Rename =>
      change.kind === 'renameType' || change.kind === 'renameComponent' || change.kind === 'renameAttribute',
  )
  for (const [key, id] of [...run.relationIds]) {
    if (isBackupKey(key)) continue
    const next = relationKeyText(renames.reduceRight(applyRename, parseRelationKey(key)))
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

/** Attributes are found by the previous uid of their owner, so they are renamed before it: last changes first. */
function applyRename(key: RelationKey, change: Rename): RelationKey {
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

function parseRelationKey(text: string): RelationKey {
  const [type = '', component = '', attribute = ''] = text.split('|')
  return { type, component: component === '' ? null : component, attribute }
}

export function renameAttributeColumn(
  run: MigrationRun,
  change: Extract<Change, { kind: 'renameAttribute' }>,
) {
  const { on, from, to } = change
  if (on.kind !== 'type' || !hasColumn(from) || !hasColumn(to)) return
  renameColumn(run, on.next.table, columnOf(from.name), columnOf(to.name))
  renameIndexedColumn(run, on.next.table, columnOf(from.name), columnOf(to.name))
}
