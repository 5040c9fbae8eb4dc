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

/** Keeps what is known in step; `unknown` are the tables of which nothing is known at the start. */
export function keepStatistics(
  analyze: (table: string) => Promise<unknown>,
  unknown: () => Promise<readonly string[]>,
): Statistics {
  const writes = new Map<string, number>()
  const due = new Set<string>()
  let running: Promise<void> | null = null
  let isClosed = false

  async function look() {
    for (const table of due) {
      due.delete(table)
      // Nothing depends on it but time, and the next doubling tries again.
      if (!isClosed) await analyze(table).catch(() => {})
    }
    running = null
  }

  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = null
      if (running) schedule()
      else running = look()
    }, PAUSE).unref()
  }

  let timer: NodeJS.Timeout | null = setTimeout(() => {
    timer = null
    running = unknown()
      .then((tables) => {
        for (const table of tables) due.add(table)
      })
      .catch(() => {})
      .then(look)
  }, PAUSE).unref()

  return {
    changed(tables) {
      for (const table of tables) {
        const count = (writes.get(table) ?? 0) + 1
        writes.set(table, count)
        if (hasDoubled(count)) due.add(table)
      }
      if (due.size > 0 && !isClosed) schedule()
    },
    async close() {
      isClosed = true
      if (timer) clearTimeout(timer)
      await running
    },
  }
}
