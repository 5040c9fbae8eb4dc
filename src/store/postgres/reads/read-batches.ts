/**
 * The first reads that are sent on a connection in a turn of the event loop are one batch, and so are those after them:
 * the server then sends their responses together, as soon as they fill a packet, which takes about a fifth less time for
 * short reads.
 *
 * The server runs a batch as one transaction, in which each read has its own snapshot and its own time limit. After a
 * failure it skips the rest of the batch; what it skipped is sent again.
 */
import pg from 'pg'
import type { Row } from '../../statement.ts'
import { columnsOf, type DataRow, type RowDescription, rowOf } from '../connection/result-rows.ts'
import { type PreparedStatement, sendPrepared } from '../connection/statement-group.ts'
import { connectionLost } from '../failures.ts'

export interface ReadBatches {
  /** Sends a read with the others of this turn. `sendAgain` is called if the server skips it. */
  send(
    client: pg.ClientBase,
    statement: PreparedStatement,
    sendAgain: () => Promise<readonly Row[]>,
  ): Promise<readonly Row[]>
  /** Ends the batch of a connection, if there is one. Must be called before anything else is sent on the connection. */
  end(client: pg.ClientBase): void
}

interface Read {
  readonly statement: PreparedStatement
  sendAgain(): Promise<readonly Row[]>
  resolve(rows: readonly Row[] | Promise<readonly Row[]>): void
  reject(error: unknown): void
}

/**
 * How many reads a batch has at most. The server runs them while this process prepares those of the next batch: documents
 * are found a fifth faster than with one batch for each turn.
 */
const MAX_READS = 4

export function createReadBatches(): ReadBatches {
  /** The batches to which reads can be added. */
  const open = new WeakMap<pg.ClientBase, ReadBatch>()

  function openBatch(client: pg.ClientBase): ReadBatch {
    const batch = new ReadBatch()
    open.set(client, batch)
    client.query(batch)
    setImmediate(() => {
      batch.end()
      // Its rows are not kept for as long as the connection.
      if (open.get(client) === batch) open.delete(client)
    })
    return batch
  }

  return {
    send: (client, statement, sendAgain) =>
      new Promise((resolve, reject) => {
        const current = open.get(client)
        const batch = current?.isOpen ? current : openBatch(client)
        batch.add({ statement, sendAgain, resolve, reject })
      }),
    end: (client) => open.get(client)?.end(),
  }
}

/** The driver calls the methods with the responses. It pipelines only instances of its own class. */
class ReadBatch extends pg.Query {
  override readonly submit: (connection: pg.Connection) => void
  /** Those without a response, in the order in which they were sent. */
  readonly #reads: Read[] = []
  #connection: pg.Connection | null = null
  #isOpen = true
  #added = 0
  /** The rows of the first read. */
  #rows: Row[] = []

  constructor() {
    super('')
    this.submit = (connection) => {
      this.#connection = connection
      connection.stream.cork()
    }
  }

  get isOpen() {
    return this.#isOpen
  }

  add(read: Read) {
    this.#reads.push(read)
    if (this.#connection) sendPrepared(this.#connection, read.statement, true)
    if (++this.#added === MAX_READS) this.end()
  }

  end() {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#connection?.sync()
    this.#connection?.stream.uncork()
  }

  handleRowDescription(message: RowDescription) {
    const [read] = this.#reads
    if (read) read.statement.prepared.columns = columnsOf(message)
  }

  handleDataRow(message: DataRow) {
    this.#rows.push(rowOf(this.#reads[0]?.statement.prepared.columns ?? null, message))
  }

  handleCommandComplete() {
    // After the last one, the connection must first be ready for others.
    if (this.#reads.length > 1) this.#resolveFirst()
  }

  handleError(error: Error) {
    // Before the batch was sent, only a connection that is lost can fail.
    const isLost = this.#isOpen || connectionLost(error)
    this.#isOpen = false
    const [failed, ...skipped] = this.#reads.splice(0)
    failed?.reject(error)
    for (const read of skipped)
      if (isLost) read.reject(error)
      else read.resolve(read.sendAgain())
  }

  handleReadyForQuery() {
    this.#resolveFirst()
  }

  #resolveFirst() {
    this.#reads.shift()?.resolve(this.#rows)
    this.#rows = []
  }
}
