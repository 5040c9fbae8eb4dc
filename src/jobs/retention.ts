/** What the jobs that delete old rows have in common. */
import type { Store, Transaction } from '../store/store.ts'

const DAY_MS = 86_400_000

/** The time, as it is stored, before which rows are no longer kept. */
export const cutoffTime = (keepDays: number, now: number): string =>
  new Date(now - keepDays * DAY_MS).toISOString()

/**
 * Deletes rows in one small transaction after the other, so that other writes can run in between. `deleteStep` deletes up to
 * `step` rows and returns how many; if it deletes fewer, none are left. Returns the number of all deleted rows.
 */
export async function deleteInSteps(
  store: Store,
  step: number,
  deleteStep: (transaction: Transaction) => Promise<number>,
): Promise<number> {
  for (let deleted = 0; ; ) {
    const count = await store.write(deleteStep)
    deleted += count
    if (count < step) return deleted
  }
}
