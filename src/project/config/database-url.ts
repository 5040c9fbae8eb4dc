/** Database URLs: `sqlite:PATH` and `postgres://…`. */

const SQLITE = 'sqlite:'

export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//.test(url)

/** The path in an SQLite URL, unchanged; null for other URLs. `sqlite:///a` is the same as `sqlite:/a`. */
export const sqliteFile = (url: string): string | null =>
  url.startsWith(SQLITE) ? url.slice(SQLITE.length).replace(/^\/\/(?=\/)/, '') : null

export const sqliteUrl = (file: string): string => `${SQLITE}${file}`

/** What is wrong with a database URL; null if it is valid. */
export function databaseUrlProblem(url: string): string | null {
  const file = sqliteFile(url)
  if (file === '') return 'must name a file: sqlite:PATH'
  // A server has several connections, and each would have its own database in memory.
  if (file === ':memory:') return 'must name a file: an in-memory database cannot be shared by connections'
  return file !== null || isPostgresUrl(url) ? null : 'must be sqlite:PATH or postgres://…'
}
