/**
 * Applies what adding cannot do: renames, drops, conversions. Afterwards the database has everything that is kept
 * under its new names, and what is new can be added.
 */
import { sql } from '../../sql.ts'
import { isStoredAlike } from '../convert-value.ts'
import { surplus } from '../inspect/inspect-change.ts'
import type { EntryTallies } from '../inspect/inspect-entries.ts'
import { hasColumn, relationsOf } from '../inspect/inspection-context.ts'
import { isList } from '../plan/change.ts'
import type { PlannedChange } from '../plan/migration-plan.ts'
import { convertColumn, dropColumn, dropType } from './columns.ts'
import { setEdgesAside, setRelationAside, type Work } from './migration-run.ts'
import { renameColumn, renameRelations, renameTables } from './renames.ts'
import { rewriteEntries, setEdgesOfColumnAside } from './rewrite-entries.ts'

export async function applyChanges(work: Work, plan: readonly PlannedChange[], tallies: EntryTallies) {
  const changes = plan.map(({ change }) => change)
  keepReadersOut(work, plan)
  for (const planned of plan)
    if (planned.change.kind === 'dropType') await dropType(work, planned.change.type, planned)
  await renameTables(work, work.transition.types)
  for (const planned of plan) await setContentAside(work, planned)
  for (const planned of plan) await narrowEdges(work, planned)
  renameRelations(work, changes)
  const replaced = new Set(changes.flatMap((one) => (one.kind === 'replaceAttribute' ? [one.from] : [])))
  for (const change of changes)
    if (change.kind === 'renameAttribute' && !replaced.has(change.from)) renameColumn(work, change)
  for (const planned of plan) {
    const { change } = planned
    if (change.kind === 'convertValues' && !isStoredAlike(change.from.type, change.to.type))
      await convertColumn(work, change, planned)
  }
  await rewriteEntries(work, changes, tallies)
}

/**
 * Rows whose meaning changes without a change of their table would be misread by whoever still has the former model:
 * they wait. Everything else that changes fails for them, and they ask again with the new model.
 */
function keepReadersOut(work: Work, plan: readonly PlannedChange[]) {
  if (work.engine === 'sqlite') return
  for (const { change } of plan) {
    if (
      change.kind === 'localize' ||
      change.kind === 'unlocalize' ||
      change.kind === 'addDrafts' ||
      change.kind === 'dropDrafts'
    )
      work.run(sql`LOCK TABLE ${sql.table(change.on.former.table)} IN ACCESS EXCLUSIVE MODE`)
  }
}

/** Takes the content of dropped and replaced attributes of content-types out of use. Entries are rewritten later. */
async function setContentAside(work: Work, planned: PlannedChange) {
  const { change } = planned
  if (change.kind !== 'dropAttribute' && change.kind !== 'replaceAttribute') return
  const { on } = change
  const attribute = change.kind === 'dropAttribute' ? change.attribute : change.from
  if (!hasColumn(attribute)) {
    for (const relation of relationsOf(work, on, attribute))
      await setRelationAside(work, relation, `${on.next.uid}, attribute ${attribute.name}`)
  } else if (on.kind === 'type') {
    if (isList(attribute)) await setEdgesOfColumnAside(work, on, attribute)
    dropColumn(work, on, attribute, planned)
  }
}

async function narrowEdges(work: Work, { change }: PlannedChange) {
  if (change.kind !== 'narrowEdges') return
  const { on, from, to } = change
  const table = on.kind === 'type' ? on.next.table : null
  for (const relation of relationsOf(work, on, from)) {
    const of = `${on.next.uid}, attribute ${to.name}, beyond the first`
    await setEdgesAside(work, relation, surplus(relation, to, table), of)
  }
}
