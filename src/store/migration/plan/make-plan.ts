/** Draws the plan of a migration: compares the models, then looks at the content for what each change would do. */

import type { Ground } from '../inspect/context.ts'
import { type EntryTallies, tallyEntries } from '../inspect/entries.ts'
import { inspect } from '../inspect/inspect.ts'
import { changesBetween } from './compare.ts'
import { wordsOf } from './descriptions.ts'
import { hintFor } from './hints.ts'
import type { Finding, PlannedChange } from './plan.ts'

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
