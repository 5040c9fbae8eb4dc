/**
 * The statements that each connection has prepared. The server keeps a prepared statement until the connection closes it,
 * so those whose names are no longer in use are closed.
 */
import pg from 'pg'
import type { Columns } from './result-rows.ts'
import type { StatementNames } from './statement-names.ts'

/** A statement that a connection has prepared under a name. */
export interface Prepared {
  readonly name: string
  /**
   * The columns of its rows; null until it has run once. They stay the same: when the tables change so that it would have
   * others, the server refuses to run it.
   */
  columns: Columns | null
}

export interface PreparedStatements {
  /** The statements that a connection has prepared, by name. Closes those whose names are no longer in use. */
  on(client: pg.ClientBase): Map<string, Prepared>
}

/** How many names are retired before a connection closes its own: to look for them takes time. */
const CLOSED_TOGETHER = 50

interface OnConnection {
  readonly statements: Map<string, Prepared>
  /** How many names were retired when this connection last closed its own. */
  closed: number
}

/** `beforeClose` is called before statements of a connection are closed. */
export function createPreparedStatements(
  names: StatementNames,
  beforeClose: (client: pg.ClientBase) => void,
): PreparedStatements {
  const connections = new WeakMap<pg.ClientBase, OnConnection>()
  return {
    on(client) {
      const prepared = connections.get(client) ?? { statements: new Map(), closed: names.retired }
      connections.set(client, prepared)
      if (names.retired >= prepared.closed + CLOSED_TOGETHER) {
        prepared.closed = names.retired
        beforeClose(client)
        close(
          client,
          [...prepared.statements.keys()].filter(
            (name) => !names.isCurrent(name) && prepared.statements.delete(name),
          ),
        )
      }
      return prepared.statements
    },
  }
}

/** Does not wait for the server: the next statement follows in the same packet. */
function close(client: pg.ClientBase, names: readonly string[]): void {
  if (names.length > 0) client.query(new CloseStatements(names))
}

/** The driver calls the methods with the responses. It pipelines only instances of its own class. */
class CloseStatements extends pg.Query {
  override readonly submit: (connection: pg.Connection) => void

  constructor(names: readonly string[]) {
    super('')
    this.submit = (connection) => {
      connection.stream.cork()
      for (const name of names) connection.close({ type: 'S', name }, true)
      connection.sync()
      connection.stream.uncork()
      forget(connection, names)
    }
  }

  /** If the connection is lost, so are its statements. */
  handleError() {}

  handleReadyForQuery() {}
}

/** The driver keeps the text of every statement that it has prepared. */
function forget(connection: pg.Connection, names: readonly string[]): void {
  const texts: unknown = Reflect.get(connection, 'parsedStatements')
  if (typeof texts === 'object' && texts !== null)
    for (const name of names) Reflect.deleteProperty(texts, name)
}
