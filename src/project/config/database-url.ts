/** Database URLs: `sqlite:PATH` and `postgres://…`. */

const SQLITE = 'sqlite:'

export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//.test(url)

/** The path in an SQLite URL, unchanged; null for other URLs. `sqlite:///a` is the same as `sqlite:/a`. */
export const sqliteFile = (url: string): string | null =>
  url.startsWith(SQLITE) ? url.slice(SQLITE.length).replace(/^\/\/(?=\/)/, '') : null

export const sqliteUrl = (file: string): string => `${SQLITE}${file}`

/**
 * The URL of each server in a PostgreSQL URL, which may name several: `postgres://user:password@a:5432,b:5433/name`.
 * Exactly one for other URLs. Without a host, as in `postgres://user@/name?host=/run/postgresql`, it is this machine.
 */
export function urlsOfHosts(url: string): readonly [string, ...string[]] {
  if (!isPostgresUrl(url)) return [url]
  const [, start = '', hosts = '', end = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/s.exec(url) ?? []
  const [first, ...others] = hosts.split(',').map((host) => `${start}${host || 'localhost'}${end}`)
  return [first ?? url, ...others]
}

/** The address in a URL with one server: its host and port, or the folder of its Unix socket. */
export function serverOf(url: string): string {
  const { host, searchParams } = new URL(url)
  return searchParams.get('host') ?? host.replace(/%2f/gi, '/')
}

/** What is wrong with a database URL; null if it is valid. */
export function databaseUrlProblem(url: string): string | null {
  const file = sqliteFile(url)
  if (file === '') return 'must name a file: sqlite:PATH'
  // A server has several connections, and each would have its own database in memory.
  if (file === ':memory:') return 'must name a file: an in-memory database cannot be shared by connections'
  if (file !== null) return null
  if (!isPostgresUrl(url)) return 'must be sqlite:PATH or postgres://…'
  return urlsOfHosts(url).every((each) => URL.canParse(each)) ? null : 'is not a valid URL'
}
