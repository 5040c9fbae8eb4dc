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
  text: `SELECT coalesce(string_agg(pid::text, ',' ORDER BY pid), '') AS pids, ${PRIMARY_POSITION}::text AS position,
      pg_snapshot_xmin(pg_current_snapshot())::text AS oldest, pg_snapshot_xmax(pg_current_snapshot())::text AS next
    FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
  values: [LISTENER],
}

export interface ListenersState {
  readonly pids: string
  /** The oldest transaction in progress that writes, and the next one to begin. */
  readonly oldest: string
  readonly next: string
  readonly position: string
}

export const NO_LISTENERS: ListenersState = { pids: '', oldest: '0', next: '0', position: '' }

/** Whether one of the processes does not listen any more. */
export function hasEnded(before: string, after: string): boolean {
  const present = new Set(after.split(','))
  return before !== '' && before.split(',').some((pid) => !present.has(pid))
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
