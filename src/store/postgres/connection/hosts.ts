/** The servers that a database URL names, of which one at a time accepts writes. */
import pg from 'pg'
import { serverOf } from '../../../project/config/database-url.ts'
import { NoPrimary, reasonOf } from '../failures.ts'

export interface Hosts {
  /** The URL of the server that accepts writes, as far as is known. */
  current(): string
  /** Finds the server that accepts writes and returns whether it is another one than before; rejects if there is none. */
  find(): Promise<boolean>
}

/** Milliseconds in which a server must respond. */
const RESPONSE_TIMEOUT = 2_000

/** The timeline increases with every promotion; it is null on a standby. */
export const PRIMARY_TIMELINE = `CASE WHEN NOT pg_is_in_recovery()
  THEN ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int END`
const TIMELINE = `SELECT ${PRIMARY_TIMELINE} AS timeline`

/** A single server is used as it is, without a check. */
export function createHosts(
  urls: readonly [string, ...string[]],
  configOf: (url: string) => pg.ClientConfig,
): Hosts {
  let [current] = urls
  let latestTimeline = 0

  async function timelineOf(url: string): Promise<number> {
    const client = new pg.Client({
      ...configOf(url),
      connectionTimeoutMillis: RESPONSE_TIMEOUT,
      query_timeout: RESPONSE_TIMEOUT,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ timeline: number | null }>(TIMELINE)
      const timeline = rows[0]?.timeline ?? null
      if (timeline === null) throw new Error('it is a standby')
      // A former primary that has come back without knowing of the promotion would accept writes that are lost later.
      if (timeline < latestTimeline) throw new Error('another server was promoted after it')
      return timeline
    } finally {
      client.end().catch(() => {})
    }
  }

  return {
    current: () => current,
    async find() {
      if (urls.length === 1) return false
      const found = await Promise.allSettled(urls.map(timelineOf))
      const before = current
      const problems: string[] = []
      let timeline = 0
      for (const [index, url] of urls.entries()) {
        const result = found[index]
        if (result?.status === 'rejected') problems.push(`${serverOf(url)}: ${reasonOf(result.reason)}`)
        if (result?.status !== 'fulfilled' || result.value <= timeline) continue
        timeline = result.value
        current = url
      }
      if (timeline === 0) throw new NoPrimary(`No PostgreSQL server accepts writes (${problems.join('; ')})`)
      latestTimeline = timeline
      return current !== before
    },
  }
}
