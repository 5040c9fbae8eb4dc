/** Renames: tables, columns and the keys of relations get their new names, with everything that is in them. */

import { sql } from '../../sql.ts'
import { columnOf, EDGES, type RelationKey, relationKeyText } from '../../tables/layout.ts'
import { hasColumn } from '../inspect/inspection-context.ts'
import type { Change, KeptType } from '../plan/change.ts'
import { isAside, moveBackups } from './backups.ts'
import type { Work } from './migration-run.ts'

/** Gives every kept content-type its new table. Names may be exchanged, so all leave before any arrives. */
export async function renameTables(work: Work, types: readonly KeptType[]) {
  const moving = types.filter(({ former, next }) => former.table !== next.table)
  const targets = new Set(moving.map(({ former }) => former.table))
  const inTheWay = moving.some(({ next }) => targets.has(next.table))
  const rename = (from: string, to: string) =>
    work.run(sql`ALTER TABLE ${sql.table(from)} RENAME TO ${sql.id(to)}`)
  const names = moving.map((_, index) => `octavo_moving_${index}`)
  // Indexes are called after their table; they are made again under its new name.
  for (const { former } of moving) {
    for (const { name } of work.states.get(former.uid)?.indexes ?? [])
      work.run(sql`DROP INDEX IF EXISTS ${sql.id(name)}`)
  }
  if (inTheWay) {
    for (const [index, { former }] of moving.entries()) rename(former.table, names[index] ?? '')
  }
  for (const [index, { former, next }] of moving.entries()) {
    rename(inTheWay ? (names[index] ?? '') : former.table, next.table)
    await moveBackups(work.transaction, former.table, next.table)
  }
}

/** Gives relations the keys of the next model, and polymorphic edges the new uids of their targets. */
export function renameRelations(work: Work, changes: readonly Change[]) {
  const renames = changes.filter(
    (change) =>
      change.kind === 'renameType' || change.kind === 'renameComponent' || change.kind === 'renameAttribute',
  )
  for (const [key, id] of [...work.keys]) {
    if (isAside(key)) continue
    const next = relationKeyText(renames.reduceRight(renamed, keyFromText(key)))
    if (next === key) continue
    work.keys.delete(key)
    work.keys.set(next, id)
    work.run(sql`UPDATE octavo_relations SET key = ${next} WHERE id = ${id}`)
  }
  for (const change of renames) {
    if (change.kind !== 'renameType') continue
    const { former, next } = change.on
    work.run(sql`UPDATE ${sql.table(EDGES)} SET target_type = ${next.uid} WHERE target_type = ${former.uid}`)
  }
}

type Rename = Extract<Change, { kind: 'renameType' | 'renameComponent' | 'renameAttribute' }>

/** Attributes are renamed by the former uid of what they are on, so they come before it: changes list them after. */
function renamed(key: RelationKey, change: Rename): RelationKey {
  const { former, next } = change.on
  switch (change.kind) {
    case 'renameType':
      return key.type === former.uid ? { ...key, type: next.uid } : key
    case 'renameComponent':
      return key.component === former.uid ? { ...key, component: next.uid } : key
    case 'renameAttribute': {
      const owner = key.component ?? key.type
      return owner === former.uid && key.attribute === change.from.name
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
export function renameColumn(work: Work, change: Extract<Change, { kind: 'renameAttribute' }>) {
  const { on, from, to } = change
  if (on.kind !== 'type' || !hasColumn(from) || !hasColumn(to)) return
  work.run(
    sql`ALTER TABLE ${sql.table(on.next.table)}
      RENAME COLUMN ${sql.id(columnOf(from.name))} TO ${sql.id(columnOf(to.name))}`,
  )
}
