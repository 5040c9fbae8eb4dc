/** Urls of databases: which there are, and the file that one of SQLite names. */

const SQLITE = 'sqlite:'

export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//.test(url)

/** The path that a url of SQLite names, as it stands there; null for other urls. `sqlite:///a` is `sqlite:/a`. */
export const sqliteFile = (url: string): string | null =>
  url.startsWith(SQLITE) ? url.slice(SQLITE.length).replace(/^\/\/(?=\/)/, '') : null

export const sqliteUrl = (file: string): string => `${SQLITE}${file}`

/** What is wrong with a url, to be said of it; null when nothing is. */
export function urlProblem(url: string): string | null {
  const file = sqliteFile(url)
  if (file === '') return 'lacks the path of a file: sqlite:PATH'
  // Whoever writes has a connection of their own, and so have those who read: each would have a memory of its own.
  if (file === ':memory:')
    return 'must name a file: a database in memory cannot be shared by several connections'
  return file !== null || isPostgresUrl(url) ? null : 'must be sqlite:PATH or postgres://…'
}
