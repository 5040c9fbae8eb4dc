/**
 * Applies what adding cannot do: renames, drops, conversions. Afterwards the database has everything that is kept
 * under its new names, and what is new can be added.
 */
import { sql } from '../../sql.ts'
import { hasSameStorage } from '../convert-value.ts'
import { isSurplusEdge } from '../inspect/inspect-change.ts'
import type { EntryImpacts } from '../inspect/inspect-entries.ts'
import { hasColumn, relationIdsOf } from '../inspect/inspection-context.ts'
import { holdsEntries } from '../plan/change.ts'
import type { PlannedChange } from '../plan/migration-plan.ts'
import { convertColumn, dropColumn, dropType } from './columns.ts'
import { backUpEdges, backUpRelation, type MigrationRun } from './migration-run.ts'
import { renameColumn, renameRelations, renameTables } from './renames.ts'
import { backUpEntryEdgesOfColumn, rewriteEntries } from './rewrite-entries.ts'

export async function applyPlan(
  run: MigrationRun,
  plan: readonly PlannedChange[],
  entryImpacts: EntryImpacts,
) {
  const changes = plan.map(({ change }) => change)
  lockReshapedTables(run, plan)
  for (const planned of plan)
    if (planned.change.kind === 'dropType') await dropType(run, planned.change.type, planned)
  await renameTables(run, run.transition.types)
  for (const planned of plan) await backUpAttribute(run, planned)
  for (const planned of plan) await narrowEdges(run, planned)
  renameRelations(run, changes)
  const replaced = new Set(changes.flatMap((one) => (one.kind === 'replaceAttribute' ? [one.from] : [])))
  for (const change of changes)
    if (change.kind === 'renameAttribute' && !replaced.has(change.from)) renameColumn(run, change)
  for (const planned of plan) {
    const { change } = planned
    if (change.kind === 'convertValues' && !hasSameStorage(change.from.type, change.to.type))
      await convertColumn(run, change, planned)
  }
  await rewriteEntries(run, changes, entryImpacts)
}

/**
 * Rows whose meaning changes without a change of their table would be misread by whoever still has the previous model:
 * they wait. Everything else that changes fails for them, and they ask again with the new model.
 */
function lockReshapedTables(run: MigrationRun, plan: readonly PlannedChange[]) {
  for (const { change } of plan) {
    if (
      change.kind === 'localize' ||
      change.kind === 'unlocalize' ||
      change.kind === 'addDrafts' ||
      change.kind === 'dropDrafts'
    )
      for (const query of run.dialect.blockReaders(sql.table(change.on.previous.table))) run.execute(query)
  }
}

/** Takes the content of dropped and replaced attributes of content-types out of use. Entries are rewritten later. */
async function backUpAttribute(run: MigrationRun, planned: PlannedChange) {
  const { change } = planned
  if (change.kind !== 'dropAttribute' && change.kind !== 'replaceAttribute') return
  const { on } = change
  const attribute = change.kind === 'dropAttribute' ? change.attribute : change.from
  if (!hasColumn(attribute)) {
    for (const relation of relationIdsOf(run, on, attribute))
      await backUpRelation(run, relation, `${on.next.uid}, attribute ${attribute.name}`)
  } else if (on.kind === 'type') {
    if (holdsEntries(attribute)) await backUpEntryEdgesOfColumn(run, on, attribute)
    dropColumn(run, on, attribute, planned)
  }
}

async function narrowEdges(run: MigrationRun, { change }: PlannedChange) {
  if (change.kind !== 'narrowEdges') return
  const { on, from, to } = change
  const table = on.kind === 'type' ? on.next.table : null
  for (const relation of relationIdsOf(run, on, from)) {
    const of = `${on.next.uid}, attribute ${to.name}, beyond the first`
    await backUpEdges(run, relation, isSurplusEdge(relation, to, table), of)
  }
}
