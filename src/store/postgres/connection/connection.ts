/** Connections to PostgreSQL, and the names of the statements that are prepared on them. */
import { Socket } from 'node:net'
import pg from 'pg'
import { connectionLost } from '../failures.ts'
import { getTypeParser } from '../types.ts'

const PREPARED_STATEMENTS = 500

/** The configuration of every connection to a server. */
export function connectionConfig(
  url: string,
  statementTimeout: number,
  waitTimeout: number,
): pg.ClientConfig {
  const settings = {
    // The generated statements are short: compiling them takes ten times what it saves.
    jit: 'off',
    timezone: 'UTC',
    statement_timeout: String(statementTimeout),
    idle_in_transaction_session_timeout: '60000',
    // A write opens its transaction as READ WRITE; nothing else can change content.
    default_transaction_read_only: 'on',
  }
  return {
    connectionString: url,
    application_name: 'octavo',
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: waitTimeout,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser },
  }
}

/** A pool in which a broken connection fails the queries sent on it and nothing else. */
export function createPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(options)
  // The pool itself removes an idle connection that breaks.
  pool.on('error', () => {})
  // Without a listener, a connection that breaks while the pool hands it out would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Runs `work` on one connection; a connection that breaks meanwhile leaves the pool. */
export async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let isBroken = false
  const noteBroken = () => {
    isBroken = true
  }
  client.on('error', noteBroken)
  try {
    return await work(client)
  } catch (error) {
    if (connectionLost(error)) isBroken = true
    throw error
  } finally {
    client.off('error', noteBroken)
    client.release(isBroken)
  }
}

/** Sockets that can be destroyed together, when a server has disappeared and its queries would wait forever. */
export function createSockets() {
  const open = new Set<Socket>()
  return {
    create(): Socket {
      const socket = new Socket()
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      return socket
    },
    destroyAll() {
      for (const socket of open) socket.destroy()
    },
  }
}

/** The milliseconds that queries in progress have when a pool ends. */
const END_TIMEOUT = 5_000

/** Ends a pool; `destroyAll` ends the connections whose server does not respond. */
export async function endPool(pool: pg.Pool, destroyAll: () => void): Promise<void> {
  const timer = setTimeout(destroyAll, END_TIMEOUT)
  await pool.end()
  clearTimeout(timer)
}

/** Names for prepared statements: a text gets one when it is used for the second time, up to a limit. */
export function createStatementNames() {
  const names = new Map<string, string>()
  const seen = new Set<string>()
  let count = 0
  return {
    nameOf(sql: string): string | null {
      const name = names.get(sql)
      if (name) return name
      if (names.size >= PREPARED_STATEMENTS) return null
      if (!seen.delete(sql)) {
        if (seen.size >= PREPARED_STATEMENTS) seen.clear()
        seen.add(sql)
        return null
      }
      const fresh = `octavo_${++count}`
      names.set(sql, fresh)
      return fresh
    },
    /** Forgets all names: the prepared statements no longer fit the tables. */
    forgetAll() {
      names.clear()
      seen.clear()
    },
  }
}
