/**
 * Prepared statements that are sent on a connection together: the server runs them in order and sends all responses
 * together, as soon as they fill a packet. With a packet for each statement, short reads take a fifth longer.
 *
 * After a failure the server skips the rest of a batch.
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

/** Statements of a batch that have one result: the rows of the last one. */
export interface StatementGroup {
  readonly statements: readonly PreparedStatement[]
  /** The milliseconds within which the batch must end. */
  readonly timeout?: number | undefined
  resolve(rows: readonly Row[]): void
  reject(error: Error): void
  /** Called if the server skips the group, because one before it has failed. */
  skip(error: Error): void
}

export interface StatementBatches {
  /** Adds a group to the batch of a connection, which is sent soon. */
  add(client: pg.ClientBase, group: StatementGroup): void
  /** Sends the batch of a connection, if there is one. Must be called before anything else is sent on the connection. */
  end(client: pg.ClientBase): void
}

/** A batch is sent when `defer` calls back, or when it has `maxGroups`. */
export function createStatementBatches(
  defer: (send: () => void) => void,
  maxGroups = Number.POSITIVE_INFINITY,
): StatementBatches {
  /** The groups that have not been sent yet. */
  const waiting = new WeakMap<pg.ClientBase, StatementGroup[]>()

  function end(client: pg.ClientBase) {
    const groups = waiting.get(client)
    if (!groups) return
    waiting.delete(client)
    client.query(new StatementBatch(groups))
  }

  return {
    add(client, group) {
      const groups = waiting.get(client)
      if (groups) groups.push(group)
      else {
        waiting.set(client, [group])
        defer(() => end(client))
      }
      if ((groups?.length ?? 1) === maxGroups) end(client)
    },
    end,
  }
}

/** The driver calls the methods with the responses. It pipelines only instances of its own class. */
class StatementBatch extends pg.Query {
  readonly query_timeout: number | undefined
  // The driver replaces it to end the timeout.
  readonly callback: () => void = () => {}
  /** Those without a response, in the order in which they were sent. */
  readonly #groups: StatementGroup[]
  /** How many statements of the first group have ended, and the rows of its last one. */
  #ended = 0
  #rows: Row[] = []

  override readonly submit: (connection: pg.Connection) => void

  constructor(groups: StatementGroup[]) {
    super('')
    const timeouts = groups.flatMap(({ timeout }) => timeout ?? [])
    this.query_timeout = timeouts.length > 0 ? Math.max(...timeouts) : undefined
    this.#groups = groups
    this.submit = (connection) => send(connection, groups)
  }

  get #last(): Prepared | null {
    return this.#groups[0]?.statements.at(-1)?.prepared ?? null
  }

  handleRowDescription(message: RowDescription) {
    const last = this.#last
    if (last) last.columns = columnsOf(message)
  }

  handleDataRow(message: DataRow) {
    const statements = this.#groups[0]?.statements.length ?? 0
    if (this.#ended === statements - 1) this.#rows.push(rowOf(this.#last?.columns ?? null, message))
  }

  handleCommandComplete() {
    const [first, ...others] = this.#groups
    // After the last one, the connection must first be ready for others.
    if (++this.#ended === first?.statements.length && others.length > 0) this.#resolveFirst()
  }

  handleError(error: Error) {
    const [failed, ...skipped] = this.#groups.splice(0)
    this.callback()
    failed?.reject(error)
    for (const group of skipped) group.skip(error)
  }

  handleReadyForQuery() {
    this.callback()
    this.#resolveFirst()
  }

  #resolveFirst() {
    const rows = this.#rows
    this.#rows = []
    this.#ended = 0
    this.#groups.shift()?.resolve(rows)
  }
}

function send(connection: pg.Connection, groups: readonly StatementGroup[]) {
  connection.stream.cork()
  for (const { statements } of groups)
    for (const [index, statement] of statements.entries())
      sendStatement(connection, statement, index === statements.length - 1)
  connection.sync()
  connection.stream.uncork()
}

/** With `hasRows`, the server also describes the columns, unless they are known. */
function sendStatement(
  connection: pg.Connection,
  { prepared: { name, columns }, parameters }: PreparedStatement,
  hasRows: boolean,
) {
  const values = parameters.map((value) => (value === null ? null : String(value)))
  // The driver only checks that this is set; its types require a string.
  const binary = columns?.areText ? 'binary' : undefined
  connection.bind({ statement: name, values, binary }, true)
  if (hasRows && columns === null) connection.describe({ type: 'P', name: '' }, true)
  connection.execute(null, true)
}
