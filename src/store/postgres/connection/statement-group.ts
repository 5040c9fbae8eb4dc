/**
 * Prepared statements that are sent to PostgreSQL as a group: the server runs them in order and responds to all of them
 * at once. After a failure it skips the rest of the group.
 */
import pg from 'pg'
import type { Row, SqlValue } from '../../statement.ts'
import type { Prepared } from './prepared-statements.ts'
import { columnsOf, type DataRow, type RowDescription, rowOf } from './result-rows.ts'

/** A statement that the connection has prepared, with its values. */
export interface PreparedStatement {
  readonly prepared: Prepared
  readonly parameters: readonly SqlValue[]
}

type Callback = (error: Error | null, rows: readonly Row[]) => void

/** Sends the statements; resolves with the rows of the last one. Fails if it takes longer than `timeout` milliseconds. */
export const sendGroup = (
  client: pg.ClientBase,
  statements: readonly PreparedStatement[],
  timeout?: number,
): Promise<readonly Row[]> =>
  new Promise((resolve, reject) => {
    client.query(
      new StatementGroup(statements, timeout, (error, rows) => (error ? reject(error) : resolve(rows))),
    )
  })

/** The driver calls the methods with the responses. It pipelines only instances of its own class. */
class StatementGroup extends pg.Query {
  readonly query_timeout: number | undefined
  // The driver replaces it to end the timeout.
  readonly callback: Callback
  readonly #count: number
  /** The last statement. */
  readonly #prepared: Prepared | null
  readonly #rows: Row[] = []
  #completed = 0

  override readonly submit: (connection: pg.Connection) => void

  constructor(statements: readonly PreparedStatement[], timeout: number | undefined, callback: Callback) {
    super('')
    this.query_timeout = timeout
    this.callback = callback
    this.#count = statements.length
    this.#prepared = statements.at(-1)?.prepared ?? null
    this.submit = (connection) => send(connection, statements)
  }

  handleRowDescription(message: RowDescription) {
    if (this.#prepared) this.#prepared.columns = columnsOf(message)
  }

  handleDataRow(message: DataRow) {
    if (this.#completed === this.#count - 1) this.#rows.push(rowOf(this.#prepared?.columns ?? null, message))
  }

  handleCommandComplete() {
    this.#completed++
  }

  handleError(error: Error) {
    this.callback(error, [])
  }

  handleReadyForQuery() {
    this.callback(null, this.#rows)
  }
}

function send(connection: pg.Connection, statements: readonly PreparedStatement[]) {
  connection.stream.cork()
  for (const [index, statement] of statements.entries())
    sendPrepared(connection, statement, index === statements.length - 1)
  connection.sync()
  connection.stream.uncork()
}

/** Sends the messages that run a prepared statement, and with `withColumns` that describe its columns, unless they are known. */
export function sendPrepared(
  connection: pg.Connection,
  { prepared: { name, columns }, parameters }: PreparedStatement,
  withColumns: boolean,
): void {
  const values = parameters.map((value) => (value === null ? null : String(value)))
  // The driver only checks that this is set; its types require a string.
  const binary = columns?.areText ? 'binary' : undefined
  connection.bind({ statement: name, values, binary }, true)
  if (withColumns && columns === null) connection.describe({ type: 'P', name: '' }, true)
  connection.execute(null, true)
}
