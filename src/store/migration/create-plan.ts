/** Creates the plan of a migration: compares the models, then inspects the content that each change affects. */
import { inspectChange } from './inspect/inspect-change.ts'
import { type EntryImpacts, inspectEntries } from './inspect/inspect-entries.ts'
import type { InspectionContext } from './inspect/inspection-context.ts'
import { compareModels } from './plan/compare-models.ts'
import { describeChange } from './plan/describe-change.ts'
import type { ChangeImpact, PlannedChange } from './plan/migration-plan.ts'
import { renameHint } from './plan/rename-hints.ts'

/** The plan, and the effect of the changes on component entries. Reads only. */
export async function createPlan(
  context: InspectionContext,
): Promise<{ readonly plan: readonly PlannedChange[]; readonly entryImpacts: EntryImpacts }> {
  const changes = compareModels(context.transition)
  const entryImpacts = await inspectEntries(context, changes)
  const inspected: (ChangeImpact & Pick<PlannedChange, 'change'>)[] = []
  for (const change of changes) {
    const impact = await inspectChange(context, change, entryImpacts)
    // Listed only when there are unpublished changes.
    if (change.kind === 'hideChanges' && impact.effect === 'safe') continue
    inspected.push({ change, ...impact })
  }
  const plan = inspected.map((planned) => ({
    ...planned,
    description: describeChange(planned.change, planned),
    hint: renameHint(planned, inspected),
  }))
  return { plan, entryImpacts }
}
