/**
 * Positions in PostgreSQL's write-ahead log, as text (`0/16B3748`) and as a number that can be compared. A replica that
 * has replayed a position shows everything committed before it.
 */

/** The position of the primary: everything committed so far is before it. */
export const PRIMARY_POSITION = 'pg_current_wal_insert_lsn()'

/** The position that a replica has replayed; null on a server that is not a replica. */
export const REPLAYED_POSITION = 'CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END'

/** The position of a write that is not known yet: no replica has reached it. */
export const UNKNOWN_POSITION = Number.POSITIVE_INFINITY

const HALF = 2 ** 32

/** The number of a position; null for other text, or if a number cannot represent it. */
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
