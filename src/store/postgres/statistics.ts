/**
 * What PostgreSQL knows of the tables. It plans by that, and learns of small tables late or never: its own daemon looks
 * at a table after fifty changes, once a minute. Without knowledge it takes every table for one of a row, and a filter
 * through three relations tries every row with every other. So the server has tables looked at while they are small.
 */

export interface Statistics {
  /** To be told of what was written. */
  changed(tables: Iterable<string>): void
  close(): Promise<void>
}

/** Milliseconds in which writes that come together are waited for. */
const PAUSE = 100
/** A table is looked at whenever the number of writes to it has doubled, up to here; from then on the daemon is enough. */
const MOST_WRITES = 4_096

const hasDoubled = (count: number) => count <= MOST_WRITES && Number.isInteger(Math.log2(count))

/** Keeps what is known in step; `unmet` are the tables of which nothing is known at the start. */
export function keepStatistics(
  analyze: (table: string) => Promise<unknown>,
  unmet: () => Promise<readonly string[]>,
): Statistics {
  const writes = new Map<string, number>()
  const due = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let looking: Promise<void> | null = null
  let isClosed = false

  // Nothing depends on any of it but time, and the next doubling tries again.
  async function look(begin: () => Promise<readonly string[]>) {
    for (const table of await begin().catch(() => [])) due.add(table)
    for (const table of due) {
      due.delete(table)
      if (!isClosed) await analyze(table).catch(() => {})
    }
    looking = null
  }

  function lookSoon(begin: () => Promise<readonly string[]> = async () => []) {
    timer ??= setTimeout(() => {
      timer = null
      if (looking) lookSoon(begin)
      else looking = look(begin)
    }, PAUSE).unref()
  }

  lookSoon(unmet)
  return {
    changed(tables) {
      for (const table of tables) {
        const count = (writes.get(table) ?? 0) + 1
        writes.set(table, count)
        if (hasDoubled(count)) due.add(table)
      }
      if (due.size > 0 && !isClosed) lookSoon()
    },
    async close() {
      isClosed = true
      if (timer) clearTimeout(timer)
      await looking
    },
  }
}
