/** The statements by which processes learn of each other's writes. */
import type pg from 'pg'
import { PRIMARY_POSITION, parsePosition } from './position.ts'

const CHANNEL = 'octavo_versions'
export const LISTENER = 'octavo listener'

export const LISTEN = `LISTEN ${CHANNEL}`

/** The lock makes announcements arrive in the order of their positions: a position implies all earlier ones. */
export const ANNOUNCE = `SELECT position::text AS position, pg_notify('${CHANNEL}', concat($1::text, E'\\n', position, $2::text))
  FROM (SELECT ${PRIMARY_POSITION} AS position
    FROM (SELECT pg_advisory_xact_lock(6227, 1) OFFSET 0) AS locked OFFSET 0) AS announced`

export const LISTENERS = {
  text: `SELECT string_agg(pid::text, ',' ORDER BY pid) AS pids, ${PRIMARY_POSITION}::text AS position
    FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
  values: [LISTENER],
}

/** Changes whenever a transaction that writes begins or ends, anywhere on the server. */
export const SNAPSHOT = `SELECT pg_current_snapshot()::text AS snapshot, pg_backend_pid() AS pid,
  ${PRIMARY_POSITION}::text AS position`

/** The position in the first row. */
export function positionOf({ rows: [row] }: pg.QueryResult<{ position: string }>): number {
  const position = parsePosition(row?.position)
  if (position === null) throw new Error('The server did not report its position')
  return position
}
