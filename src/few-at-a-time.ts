/** A queue that lets a bounded number of tasks run at a time; for any room with work that takes much memory or time. */

export type FewAtATime = <Result>(task: () => Promise<Result>) => Promise<Result>

/** Runs at most `size` of the given tasks at once; the others wait in the order they came. */
export function fewAtATime(size: number): FewAtATime {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running >= size) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await task()
    } finally {
      // A waiting task takes over the place of this one, so that nobody can slip in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
