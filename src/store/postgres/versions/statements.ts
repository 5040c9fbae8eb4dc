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

/**
 * `newest` begins a transaction that is newer than all in progress: a snapshot only says which one is newer than all that
 * have ended.
 */
export const listenersQuery = (needsNewest: boolean) => ({
  text: `SELECT coalesce(string_agg(pid::text, ',' ORDER BY pid), '') AS pids, ${PRIMARY_POSITION}::text AS position,
      pg_snapshot_xmin(pg_current_snapshot())::text AS oldest, CASE WHEN $2 THEN pg_current_xact_id()::text END AS newest
    FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
  values: [LISTENER, needsNewest],
})

export interface ListenersState {
  readonly pids: string
  /** No transaction before this one is in progress. */
  readonly oldest: string
  /** One that is newer than all in progress, if it was asked for. */
  readonly newest: string | null
  readonly position: string
}

export const NO_LISTENERS: ListenersState = { pids: '', oldest: '0', newest: null, position: '' }

/** Whether one of the processes does not listen any more. */
export function hasEnded(before: string, after: string): boolean {
  const present = new Set(after.split(','))
  return before !== '' && before.split(',').some((pid) => !present.has(pid))
}

export const POSITION = `SELECT ${PRIMARY_POSITION}::text AS position`

/** Changes whenever a transaction that writes begins or ends, anywhere on the server. */
export const SNAPSHOT = `SELECT pg_current_snapshot()::text AS snapshot, pg_backend_pid() AS pid,
  ${PRIMARY_POSITION}::text AS position`

/** The position in the first row. */
export function positionOf({ rows: [row] }: pg.QueryResult<{ position: string }>): number {
  const position = parsePosition(row?.position)
  if (position === null) throw new Error('The server did not report its position')
  return position
}
