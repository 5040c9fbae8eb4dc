/**
 * One process at a time creates or drops indexes while reads and writes go on. It holds a lock meanwhile, which the server
 * releases when its connection ends.
 */
import { sql } from '../../sql.ts'

const CLASS = 6229

export const TAKE_TURN = `SELECT pg_try_advisory_lock(${CLASS}, hashtext(current_schema())) AS taken`

/** Cancels what that process does, unless it connects as another user, which would not be permitted. */
export const cancelTurn = sql`SELECT pg_cancel_backend(turn.pid)
  FROM pg_locks AS turn JOIN pg_stat_activity AS process USING (pid)
  WHERE turn.locktype = 'advisory' AND turn.objsubid = 2 AND turn.granted
    AND turn.classid = ${sql.lit(CLASS)} AND turn.objid = hashtext(current_schema())::oid
    AND process.datname = current_database() AND process.usename = current_user`
