/** Combines calls that are made while an earlier one is in progress. */

/** Runs `send` for one set of names at a time; the names of calls made meanwhile are sent together afterwards. */
export function coalesce<Result>(send: (names: ReadonlySet<string>) => Promise<Result>) {
  let collected = new Set<string>()
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | null = null
  return (names: Iterable<string>): Promise<Result> => {
    for (const name of names) collected.add(name)
    next ??= current.then(() => {
      const sent = collected
      collected = new Set()
      next = null
      const sending = send(sent)
      // A failure must not fail the calls after it.
      current = sending.catch(() => {})
      return sending
    })
    return next
  }
}
