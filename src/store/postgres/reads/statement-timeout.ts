/** The time limit of statements, which each connection has on the server. */
import type pg from 'pg'

/** Sets the limit of a connection that is not in a transaction, in milliseconds; Infinity for none. */
export type SetTimeout = (client: pg.ClientBase, milliseconds: number) => void

/**
 * Sends the limit only when it differs from the last one of the connection, and without waiting: the next statement
 * follows in the same packet. `initial` is the limit with which connections are opened; `beforeSend` is called before a limit is sent.
 */
export function createTimeoutSetter(
  initial: number,
  beforeSend: (client: pg.ClientBase) => void,
): SetTimeout {
  const current = new WeakMap<pg.ClientBase, number>()
  return (client, milliseconds) => {
    if ((current.get(client) ?? initial) === milliseconds) return
    current.set(client, milliseconds)
    const value = Number.isFinite(milliseconds) ? Math.round(milliseconds) : 0
    beforeSend(client)
    // If it fails, the limit is not known: it is set again before the next statement.
    client.query(`SET statement_timeout = ${value}`).catch(() => current.set(client, Number.NaN))
  }
}
