/** How connections to PostgreSQL are made, and the statements that are kept prepared on them. */
import { Socket } from 'node:net'
import pg from 'pg'
import { connectionLost } from './failures.ts'
import { getTypeParser } from './types.ts'

const PREPARED_STATEMENTS = 500

/** What every connection to a server is made with. */
export function connectionConfig(
  url: string,
  statementTimeout: number,
  waitTimeout: number,
): pg.ClientConfig {
  const settings = {
    // The generated statements are short; compiling them costs ten times what it saves.
    jit: 'off',
    timezone: 'UTC',
    statement_timeout: String(statementTimeout),
    idle_in_transaction_session_timeout: '60000',
    // A write says that it is one; whatever else runs cannot change anything.
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

/** A pool that outlives its connections: what breaks one is told to whoever asks something of it, and to nobody else. */
export function createPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(options)
  // An idle connection that breaks leaves the pool by itself; the next one is new.
  pool.on('error', () => {})
  // One that breaks between being handed out and being taken has nobody yet who listens, which would end the process.
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

/** Sockets that can be cut together: a server that has vanished leaves statements waiting for answers that never come. */
export function createSockets() {
  const open = new Set<Socket>()
  return {
    make(): Socket {
      const socket = new Socket()
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      return socket
    },
    cut() {
      for (const socket of open) socket.destroy()
    },
  }
}

/** Milliseconds that statements under way are given when a pool ends. */
const GRACE = 5_000

/** Ends a pool; connections whose server does not answer are cut. */
export async function endPool(pool: pg.Pool, cut: () => void): Promise<void> {
  const timer = setTimeout(cut, GRACE)
  await pool.end()
  clearTimeout(timer)
}

/** Names for the statements that the server should keep prepared: texts seen twice, up to a bound. */
export function createNames() {
  const names = new Map<string, string>()
  const seen = new Set<string>()
  let given = 0
  return {
    of(sql: string): string | null {
      const name = names.get(sql)
      if (name) return name
      if (names.size >= PREPARED_STATEMENTS) return null
      if (!seen.delete(sql)) {
        if (seen.size >= PREPARED_STATEMENTS) seen.clear()
        seen.add(sql)
        return null
      }
      const fresh = `octavo_${++given}`
      names.set(sql, fresh)
      return fresh
    },
    /** Forgets all names: what was prepared under them no longer fits the tables. */
    renew() {
      names.clear()
      seen.clear()
    },
  }
}
