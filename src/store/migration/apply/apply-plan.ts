/**
 * Applies the renames, drops and conversions of a plan. Afterwards everything that is kept has its new name and type,
 * and what is new can be added.
 */
import { holdsEntries } from '../../../model/model.ts'
import { sql } from '../../sql.ts'
import { hasSameStorage } from '../convert-value.ts'
import { isSurplusEdge } from '../inspect/inspect-edges.ts'
import type { EntryImpacts } from '../inspect/inspect-entries.ts'
import { hasColumn, relationIdsOf } from '../inspect/inspection-context.ts'
import type { PlannedChange } from '../plan/migration-plan.ts'
import { backUpEdges, backUpRelation } from './back-up-edges.ts'
import { convertColumn, dropColumn } from './columns.ts'
import { dropType } from './drop-type.ts'
import type { MigrationRun } from './migration-run.ts'
import { renameAttributeColumn, renameRelations, renameTables } from './renames.ts'
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
  const replaced = new Set(
    changes.flatMap((change) => (change.kind === 'replaceAttribute' ? [change.from] : [])),
  )
  for (const change of changes)
    if (change.kind === 'renameAttribute' && !replaced.has(change.from)) renameAttributeColumn(run, change)
  for (const planned of plan) {
    const { change } = planned
    if (change.kind === 'convertValues' && !hasSameStorage(change.from.type, change.to.type))
      await convertColumn(run, change, planned)
  }
  await rewriteEntries(run, changes, entryImpacts)
}

/**
 * Locks tables whose rows change their meaning although no column does: a reader with the previous model would misread
 * them. Any other change makes such a reader fail, and it retries with the new model.
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

/** Backs up the content of dropped and replaced attributes. Attributes of components follow when entries are rewritten. */
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
    const of = `${on.next.uid}, attribute ${to.name}, all but the first`
    await backUpEdges(run, relation, isSurplusEdge(relation, to, table), of)
  }
}
