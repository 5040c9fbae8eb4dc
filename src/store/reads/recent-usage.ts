/** How much time each caller has used recently. Older use counts less: half of it after each half-life. */

export interface RecentUsage {
  add(caller: string, milliseconds: number): void
  /** The milliseconds that the caller has used, weighted by their age. */
  of(caller: string): number
}

interface Use {
  readonly milliseconds: number
  readonly at: number
}

/** The number of callers beyond which those that have used the least are forgotten. */
const MAX_CALLERS = 1_000

export function createRecentUsage(
  halfLife: number,
  now: () => number = () => performance.now(),
): RecentUsage {
  const uses = new Map<string, Use>()
  const weighted = ({ milliseconds, at }: Use) => milliseconds * 0.5 ** ((now() - at) / halfLife)

  function forgetSome() {
    const least = [...uses].sort(([, a], [, b]) => weighted(a) - weighted(b)).slice(0, MAX_CALLERS / 2)
    for (const [caller] of least) uses.delete(caller)
  }

  const of = (caller: string) => {
    const use = uses.get(caller)
    return use ? weighted(use) : 0
  }

  return {
    of,
    add(caller, milliseconds) {
      uses.set(caller, { milliseconds: of(caller) + milliseconds, at: now() })
      if (uses.size > MAX_CALLERS) forgetSome()
    },
  }
}
