/**
 * The settings that statements run with. A direct connection gets them when it is opened. Behind a transaction pooler the
 * next transaction may run on another connection of the server, so each transaction sets them for itself, and no
 * statement is prepared.
 */
import pg from 'pg'
import type { Row, Statement } from '../../statement.ts'
import { createReadBatches } from '../reads/read-batches.ts'
import { createTimeoutSetter } from '../reads/statement-timeout.ts'
import { getTypeParser } from '../types.ts'
import { createPreparedStatements, type Prepared } from './prepared-statements.ts'
import { createStatementBatches } from './statement-batches.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'

export interface SessionOptions {
  /** The milliseconds after which the server cancels a statement; Infinity for never. */
  readonly statementTimeout: number
  /** How long a new connection may take, in milliseconds. */
  readonly waitTimeout: number
  /** The schema of all tables; null for the first one in the search path of the user. */
  readonly schema: string | null
}

export interface Session {
  /** The configuration of a connection to a server. */
  config(url: string): pg.ClientConfig
  readonly names: StatementNames
  /** Sends a statement within a transaction, or one that needs no settings. */
  send(client: pg.ClientBase, statement: Statement): Promise<readonly Row[]>
  /**
   * Sends statements together, within a transaction if there are several; resolves with the rows of the last one. With
   * `timeout`, fails if they take longer than that, in milliseconds.
   */
  sendAll(client: pg.ClientBase, statements: readonly Statement[], timeout?: number): Promise<readonly Row[]>
  /** Sends one statement that reads, with a time limit in milliseconds. */
  read(client: pg.ClientBase, statement: Statement, milliseconds: number): Promise<readonly Row[]>
  /** Does the same on a connection on which several reads are sent, and nothing else. */
  readTogether(client: pg.ClientBase, statement: Statement, milliseconds: number): Promise<readonly Row[]>
  /** The statement that begins a transaction on a connection, such as `BEGIN READ WRITE`. */
  begin(client: pg.ClientBase, begin: string): string
}

const plain = (sql: string): Statement => ({ sql, parameters: [] })
const timeoutText = (milliseconds: number) =>
  String(Number.isFinite(milliseconds) ? Math.round(milliseconds) : 0)

function settingsOf({ schema }: SessionOptions, timeout: number): readonly (readonly [string, string])[] {
  return [
    // The generated statements are short: compiling them takes ten times what it saves.
    ['jit', 'off'],
    // Content is in memory. With the usual costs of pages, the planner reads small tables whole for each row of a list,
    // and plans anew at each execution.
    ['seq_page_cost', '0.1'],
    ['random_page_cost', '0.1'],
    ['timezone', 'UTC'],
    // A commit that has not waited for its standby is a warning.
    ['client_min_messages', 'warning'],
    ['statement_timeout', timeoutText(timeout)],
    ['idle_in_transaction_session_timeout', '60000'],
    ...(schema === null ? [] : [['search_path', pg.escapeIdentifier(schema)] as const]),
  ]
}

const baseConfig = (url: string, { waitTimeout }: SessionOptions): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'octavo',
  connectionTimeoutMillis: waitTimeout,
  keepAlive: true,
  pipeline: true,
  types: { getTypeParser },
})

async function send(
  on: pg.ClientBase,
  { sql, parameters }: Statement,
  name: string | null,
  timeout?: number,
): Promise<readonly Row[]> {
  const query = {
    text: sql,
    values: [...parameters],
    ...(timeout !== undefined && { query_timeout: timeout }),
  }
  return (await on.query<Row>(name === null ? query : { ...query, name })).rows
}

/** Sends each statement without waiting for the one before. Resolves with the rows of the last one. */
async function sendEach(
  client: pg.ClientBase,
  statements: readonly Statement[],
  names: readonly (string | null)[],
  timeout?: number,
): Promise<readonly Row[]> {
  const sent = statements.map((statement, index) => send(client, statement, names[index] ?? null, timeout))
  return (await Promise.all(sent)).at(-1) ?? []
}

const note = (prepared: Map<string, Prepared>, name: string) =>
  void (prepared.has(name) || prepared.set(name, { name, columns: null }))

interface PreparedSender {
  readonly sendAll: Session['sendAll']
  /**
   * Sends a statement that reads, with others of this turn of the event loop if the connection has prepared it. `sendAgain`
   * is called if one of those fails before the server has run it.
   */
  readTogether(
    client: pg.ClientBase,
    statement: Statement,
    sendAgain: () => Promise<readonly Row[]>,
  ): Promise<readonly Row[]>
  /** Sends the batches of a connection. Must be called before anything else is sent on it. */
  endBatches(client: pg.ClientBase): void
}

/** Sends statements in batches if the connection has prepared all of them: that takes less time even for a single one. */
function createPreparedSender(statementNames: StatementNames): PreparedSender {
  const reads = createReadBatches()
  // What one callback sends is one batch. Each response of its own would be another packet, which wakes up this process.
  const batches = createStatementBatches(process.nextTick)
  const endBatches = (client: pg.ClientBase) => {
    reads.end(client)
    batches.end(client)
  }
  const preparedStatements = createPreparedStatements(statementNames, endBatches)

  return {
    async sendAll(client, statements, timeout) {
      const prepared = preparedStatements.on(client)
      const names = statements.map(({ sql }) => statementNames.nameOf(sql))
      const group = statements.flatMap(({ parameters }, index) => {
        const found = prepared.get(names[index] ?? '')
        return found ? [{ prepared: found, parameters }] : []
      })
      if (group.length === statements.length)
        return new Promise((resolve, reject) => {
          batches.add(client, { statements: group, timeout, resolve, reject, skip: reject })
        })
      endBatches(client)
      const rows = await sendEach(client, statements, names, timeout)
      for (const name of names) if (name) note(prepared, name)
      return rows
    },
    async readTogether(client, statement, sendAgain) {
      const prepared = preparedStatements.on(client)
      const { sql, parameters } = statement
      const name = statementNames.nameOf(sql)
      const found = prepared.get(name ?? '')
      if (found) return reads.send(client, { prepared: found, parameters }, sendAgain)
      endBatches(client)
      const rows = await send(client, statement, name)
      if (name) note(prepared, name)
      return rows
    },
    endBatches,
  }
}

/** The session of connections that this process has for itself. */
export function directSession(options: SessionOptions): Session {
  const names = createStatementNames()
  const { sendAll, readTogether, endBatches } = createPreparedSender(names)
  const setTimeoutOf = createTimeoutSetter(options.statementTimeout, endBatches)
  const settings = [
    ...settingsOf(options, options.statementTimeout),
    // A write opens its transaction as READ WRITE; nothing else can change content.
    ['default_transaction_read_only', 'on'] as const,
  ]
  return {
    config: (url) => ({
      ...baseConfig(url, options),
      options: settings
        .map(([name, value]) => `-c ${name}=${value.replace(/[\\\s]/g, String.raw`\$&`)}`)
        .join(' '),
    }),
    names,
    send: (client, statement) => sendAll(client, [statement]),
    sendAll,
    read(client, statement, milliseconds) {
      setTimeoutOf(client, milliseconds)
      return sendAll(client, [statement])
    },
    readTogether(client, statement, milliseconds) {
      const sendNow = () => {
        // Others on the connection may have had another limit since it was first sent.
        setTimeoutOf(client, milliseconds)
        return readTogether(client, statement, sendNow)
      }
      return sendNow()
    },
    begin(client, begin) {
      setTimeoutOf(client, options.statementTimeout)
      return begin
    },
  }
}

/** The session of connections through a transaction pooler. */
export function pooledSession(options: SessionOptions): Session {
  const names = createStatementNames()
  names.stop()
  const beginWith = (begin: string, timeout: number) =>
    [
      begin,
      ...settingsOf(options, timeout).map(([name, value]) => `SET LOCAL ${name} = ${setting(value)}`),
    ].join('; ')
  /**
   * The last BEGIN of each connection. If it fails, as when an administrator cancels it, each statement after it would be a
   * transaction of its own.
   */
  const begun = new WeakMap<pg.ClientBase, Promise<unknown>>()
  const read: Session['read'] = async (client, statement, milliseconds) => {
    // Sent together. If one fails, so do those after it, and COMMIT rolls back.
    const steps = [plain(beginWith('BEGIN READ ONLY', milliseconds)), statement, plain('COMMIT')]
    const [begun, rows, ended] = await Promise.allSettled(steps.map((step) => send(client, step, null)))
    for (const step of [begun, rows, ended]) if (step?.status === 'rejected') throw step.reason
    return rows?.status === 'fulfilled' ? rows.value : []
  }
  return {
    config: (url) => baseConfig(url, options),
    names,
    send: (client, statement) => send(client, statement, null),
    async sendAll(client, statements, timeout) {
      const [first, ...others] = statements
      if (first && BEGINS.test(first.sql)) {
        const beginning = send(client, first, null, timeout)
        begun.set(client, beginning)
        await beginning
        return sendEach(client, others, [], timeout)
      }
      // In the order of the calls. A rollback is sent in any case.
      const beginning = begun.get(client)
      await (first?.sql === 'ROLLBACK' ? beginning?.catch(() => {}) : beginning)
      return sendEach(client, statements, [], timeout)
    },
    read,
    // Each is a transaction of several statements.
    readTogether: read,
    begin: (_client, begin) => beginWith(begin, options.statementTimeout),
  }
}

const BEGINS = /^begin\b/i

/** A quoted identifier is written as it is, other values as strings. */
const setting = (value: string) => (value.startsWith('"') ? value : pg.escapeLiteral(value))
