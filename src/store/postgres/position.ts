/**
 * Positions in PostgreSQL's log of writes: how far the database has come, as text (`0/16B3748`) and as a number that can
 * be compared. A replica that has replayed a position shows everything that was committed before it.
 */

/** A position of the primary: everything committed so far lies before it. */
export const PRIMARY_POSITION = 'pg_current_wal_insert_lsn()'

/** How far a replica has come; null on a server that is no replica, or no longer one. */
export const REPLAYED_POSITION = 'CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END'

/** A position that nothing has reached: of a write whose position is not known yet. */
export const UNKNOWN_POSITION = Number.POSITIVE_INFINITY

const HALF = 2 ** 32

/** The number of a position; null for text that is none, or lies beyond what a number can hold. */
export function parsePosition(text: unknown): number | null {
  const [, high, low] =
    typeof text === 'string' ? (/^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i.exec(text) ?? []) : []
  if (high === undefined || low === undefined) return null
  const position = Number.parseInt(high, 16) * HALF + Number.parseInt(low, 16)
  return Number.isSafeInteger(position) ? position : null
}

/** The text of a position. */
export const positionText = (position: number): string =>
  `${hex(Math.floor(position / HALF))}/${hex(position % HALF)}`

const hex = (number: number) => number.toString(16).toUpperCase()
