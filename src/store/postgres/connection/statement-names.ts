/** The names under which statements are prepared on connections to PostgreSQL. */

const PREPARED_STATEMENTS = 500

export interface StatementNames {
  /** The name of a statement; null if it is not prepared. */
  nameOf(sql: string): string | null
  /** Forgets all names: the prepared statements no longer fit the tables. */
  forgetAll(): void
  /** No statement has a name from now on. */
  stop(): void
}

/** A text gets a name when it is used for the second time, up to a limit. */
export function createStatementNames(limit = PREPARED_STATEMENTS): StatementNames {
  const names = new Map<string, string>()
  const seen = new Set<string>()
  let count = 0
  let most = limit
  return {
    nameOf(sql) {
      const name = names.get(sql)
      if (name) return name
      if (names.size >= most) return null
      if (!seen.delete(sql)) {
        if (seen.size >= PREPARED_STATEMENTS) seen.clear()
        seen.add(sql)
        return null
      }
      const fresh = `octavo_${++count}`
      names.set(sql, fresh)
      return fresh
    },
    forgetAll() {
      names.clear()
      seen.clear()
    },
    stop() {
      most = 0
      names.clear()
    },
  }
}
