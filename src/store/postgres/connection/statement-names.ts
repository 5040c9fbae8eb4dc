/** The names under which statements are prepared on connections to PostgreSQL. */
import { LRUCache } from 'lru-cache'

/** How many statements have names at a time, and how many characters they have together. */
interface NameLimits {
  readonly statements: number
  readonly characters: number
}

/** The server takes about 140 bytes for each character of a prepared statement, on each connection: 140 MB at most. */
const LIMITS: NameLimits = { statements: 500, characters: 1_000_000 }
/** Longer statements are not prepared: clients could fill the memory of this process and of the server with them. */
const MAX_LENGTH = 32_000
/** The characters of all statements that were used once. */
const MAX_SEEN_LENGTH = 2_000_000

export interface StatementNames {
  /** The name of a statement; null if it is not prepared. */
  nameOf(sql: string): string | null
  /** Whether a name is still in use. A name that is not is never used again. */
  isCurrent(name: string): boolean
  /** The number of names that are no longer in use. */
  readonly retired: number
  /** Forgets all names: the prepared statements no longer fit the tables. */
  forgetAll(): void
  /** No statement has a name from now on. */
  stop(): void
}

/**
 * A text gets a name when it is used for the second time, unless it is long. If there are too many, the statement that was
 * not used for the longest time loses its name.
 */
export function createStatementNames({ statements, characters }: NameLimits = LIMITS): StatementNames {
  const current = new Set<string>()
  const names = new LRUCache<string, string>({
    max: statements,
    maxSize: characters,
    sizeCalculation: (_name, sql) => sql.length,
    dispose(name) {
      current.delete(name)
      retired++
    },
  })
  /** Statements that were used once. */
  const seen = new Set<string>()
  let seenLength = 0
  let count = 0
  let retired = 0
  let isStopped = false

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
    if (seen.size >= statements || seenLength > MAX_SEEN_LENGTH) forgetSeen()
    seen.add(sql)
    seenLength += sql.length
    return false
  }

  function forgetAll() {
    names.clear()
    forgetSeen()
  }

  return {
    nameOf(sql) {
      const name = names.get(sql)
      if (name) return name
      if (isStopped || sql.length > MAX_LENGTH || !note(sql)) return null
      const fresh = `octavo_${++count}`
      current.add(fresh)
      names.set(sql, fresh)
      return fresh
    },
    isCurrent: (name) => current.has(name),
    get retired() {
      return retired
    },
    forgetAll,
    stop() {
      isStopped = true
      forgetAll()
    },
  }
}
