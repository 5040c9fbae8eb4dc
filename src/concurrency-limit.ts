/** Limits how many tasks run at a time, for work that takes much memory or time. */

export type ConcurrencyLimit = <Result>(task: () => Promise<Result>) => Promise<Result>

/** Runs at most `size` of the given tasks at a time; the others wait in the order in which they were given. */
export function limitConcurrency(size: number): ConcurrencyLimit {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running >= size) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // A waiting task takes over the slot of this one, so no other can take it in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
