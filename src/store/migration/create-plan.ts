/** Draws the plan of a migration: compares the models, then looks at the content for what each change would do. */

import { inspectChange } from './inspect/inspect-change.ts'
import { type EntryImpacts, inspectEntries } from './inspect/inspect-entries.ts'
import type { InspectionContext } from './inspect/inspection-context.ts'
import { compareModels } from './plan/compare-models.ts'
import { describeChange } from './plan/describe-change.ts'
import type { ChangeImpact, PlannedChange } from './plan/migration-plan.ts'
import { renameHint } from './plan/rename-hints.ts'

/** The plan, and what it found in component entries. Reads only. */
export async function createPlan(
  context: InspectionContext,
): Promise<{ readonly plan: readonly PlannedChange[]; readonly entryImpacts: EntryImpacts }> {
  const changes = compareModels(context.transition)
  const entryImpacts = await inspectEntries(context, changes)
  const found: (ChangeImpact & Pick<PlannedChange, 'change'>)[] = []
  for (const change of changes) {
    const one = { change, ...(await inspectChange(context, change, entryImpacts)) }
    // Nearly always there are none to be told of.
    if (change.kind !== 'hideChanges' || one.effect !== 'safe') found.push(one)
  }
  const plan = found.map((one) => ({
    ...one,
    description: describeChange(one.change, one),
    hint: renameHint(one, found),
  }))
  return { plan, entryImpacts }
}
