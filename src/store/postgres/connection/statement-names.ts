/** The names under which statements are prepared on connections to PostgreSQL. */

const PREPARED_STATEMENTS = 500
/** Longer statements are not prepared: clients could fill the memory of this process and of the server with them. */
const MAX_LENGTH = 32_000
/** The characters of all statements that were used once. */
const MAX_SEEN_LENGTH = 2_000_000

export interface StatementNames {
  /** The name of a statement; null if it is not prepared. */
  nameOf(sql: string): string | null
  /** Forgets all names: the prepared statements no longer fit the tables. */
  forgetAll(): void
  /** No statement has a name from now on. */
  stop(): void
}

/** A text gets a name when it is used for the second time, unless it is long or there are too many names. */
export function createStatementNames(limit = PREPARED_STATEMENTS): StatementNames {
  const names = new Map<string, string>()
  /** Statements that were used once. */
  const seen = new Set<string>()
  let seenLength = 0
  let count = 0
  let most = limit

  function forgetSeen() {
    seen.clear()
    seenLength = 0
  }

  /** Whether the statement was used before. */
  function note(sql: string): boolean {
    if (seen.delete(sql)) {
      seenLength -= sql.length
      return true
    }
    if (seen.size >= PREPARED_STATEMENTS || seenLength > MAX_SEEN_LENGTH) forgetSeen()
    seen.add(sql)
    seenLength += sql.length
    return false
  }

  return {
    nameOf(sql) {
      const name = names.get(sql)
      if (name) return name
      if (names.size >= most || sql.length > MAX_LENGTH || !note(sql)) return null
      const fresh = `octavo_${++count}`
      names.set(sql, fresh)
      return fresh
    },
    forgetAll() {
      names.clear()
      forgetSeen()
    },
    stop() {
      most = 0
      names.clear()
      forgetSeen()
    },
  }
}
