/** Draws the plan of a migration: compares the models, then looks at the content for what each change would do. */
import { changesBetween } from './compare.ts'
import type { Ground } from './ground.ts'
import { inspect } from './inspect.ts'
import { type EntryTallies, tallyEntries } from './inspect-entries.ts'
import type { PlannedChange } from './plan.ts'
import { wordsOf } from './words.ts'

/** The plan, and what it found in component entries. Reads only. */
export async function drawPlan(
  ground: Ground,
): Promise<{ readonly plan: readonly PlannedChange[]; readonly tallies: EntryTallies }> {
  const changes = changesBetween(ground.transition)
  const tallies = await tallyEntries(ground, changes)
  const plan: PlannedChange[] = []
  for (const change of changes) {
    const found = await inspect(ground, change, tallies)
    plan.push({ change, words: wordsOf(change, found), ...found })
  }
  return { plan, tallies }
}
