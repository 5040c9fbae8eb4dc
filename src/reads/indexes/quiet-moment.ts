/** Finds a moment to create an index in the background, where writes have to wait for it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../store/store.ts'

/** Milliseconds. */
interface Patience {
  /** An index that takes longer is not created by the server itself. */
  readonly longest: number
  /** An index that takes less is created even if writes keep coming. */
  readonly acceptable: number
  /** An index that takes less is created at once. */
  readonly unnoticed: number
  /** A moment is quiet when no write came for so long. */
  readonly quiet: number
  /** How long to wait for a quiet moment. */
  readonly wait: number
}

const PATIENCE: Patience = { longest: 10_000, acceptable: 2_000, unnoticed: 100, quiet: 1_000, wait: 60_000 }
const CHECKS_PER_MOMENT = 10

/** When to create an index for which writes wait so many milliseconds. Resolves when that is clear. */
export async function momentFor(
  store: Pick<Store, 'globalVersion'>,
  waitMs: number,
  signal?: AbortSignal,
  { longest, acceptable, unnoticed, quiet, wait }: Patience = PATIENCE,
): Promise<'now' | 'later' | 'never'> {
  if (waitMs <= unnoticed) return 'now'
  if (waitMs > longest) return 'never'
  const step = quiet / CHECKS_PER_MOMENT
  let version = store.globalVersion()
  for (let waited = 0, unchanged = 0; waited < wait; waited += step) {
    await sleep(step, undefined, { signal })
    const current = store.globalVersion()
    unchanged = current === version ? unchanged + 1 : 0
    version = current
    if (unchanged === CHECKS_PER_MOMENT) return 'now'
  }
  return waitMs <= acceptable ? 'now' : 'later'
}
