/** Draws the plan of a migration: compares the models, then looks at the content for what each change would do. */

import { inspect } from './inspect/inspect-change.ts'
import { type EntryTallies, tallyEntries } from './inspect/inspect-entries.ts'
import type { Ground } from './inspect/inspection-context.ts'
import { changesBetween } from './plan/compare-models.ts'
import { wordsOf } from './plan/describe-change.ts'
import type { Finding, PlannedChange } from './plan/migration-plan.ts'
import { hintFor } from './plan/rename-hints.ts'

/** The plan, and what it found in component entries. Reads only. */
export async function drawPlan(
  ground: Ground,
): Promise<{ readonly plan: readonly PlannedChange[]; readonly tallies: EntryTallies }> {
  const changes = changesBetween(ground.transition)
  const tallies = await tallyEntries(ground, changes)
  const found: (Finding & Pick<PlannedChange, 'change'>)[] = []
  for (const change of changes) {
    const one = { change, ...(await inspect(ground, change, tallies)) }
    // Nearly always there are none to be told of.
    if (change.kind !== 'hideChanges' || one.effect !== 'safe') found.push(one)
  }
  const plan = found.map((one) => ({
    ...one,
    words: wordsOf(one.change, one),
    hint: hintFor(one, found),
  }))
  return { plan, tallies }
}
