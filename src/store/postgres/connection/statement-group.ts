/**
 * Prepared statements that are sent to PostgreSQL as a group: the server runs them in order and responds to all of them
 * at once. After a failure it skips the rest of the group.
 */
import pg from 'pg'
import type { Row, SqlValue } from '../../statement.ts'
import { getTypeParser } from '../types.ts'

/** A statement that the connection has prepared under its name. */
export interface PreparedStatement {
  readonly name: string
  readonly parameters: readonly SqlValue[]
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

interface DataRow {
  readonly fields: readonly (string | null)[]
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
  readonly #rows: Row[] = []
  #completed = 0
  #columns: readonly (readonly [name: string, parse: (text: string) => SqlValue])[] = []

  override readonly submit: (connection: pg.Connection) => void

  constructor(statements: readonly PreparedStatement[], timeout: number | undefined, callback: Callback) {
    super('')
    this.query_timeout = timeout
    this.callback = callback
    this.#count = statements.length
    this.submit = (connection) => send(connection, statements)
  }

  handleRowDescription({ fields }: RowDescription) {
    this.#columns = fields.map(({ name, dataTypeID }) => [name, getTypeParser(dataTypeID)])
  }

  handleDataRow({ fields }: DataRow) {
    if (this.#completed < this.#count - 1) return
    const row: Record<string, SqlValue> = {}
    for (const [index, [name, parse]] of this.#columns.entries()) {
      const text = fields[index] ?? null
      row[name] = text === null ? null : parse(text)
    }
    this.#rows.push(row)
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
  for (const [index, { name, parameters }] of statements.entries()) {
    const values = parameters.map((value) => (value === null ? null : String(value)))
    connection.bind({ statement: name, values }, true)
    if (index === statements.length - 1) connection.describe({ type: 'P', name: '' }, true)
    connection.execute(null, true)
  }
  connection.sync()
  connection.stream.uncork()
}
