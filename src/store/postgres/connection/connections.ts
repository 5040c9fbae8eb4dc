/** The connections of a store to its primary: those of reads and writes, and those of what takes long. */
import type pg from 'pg'
import type { Row, SqlValue } from '../../statement.ts'
import { createPool, createSockets, endPool, withClient } from './connection.ts'
import { directSession, pooledSession, type Session, type SessionOptions } from './session.ts'

/** A pool, and the session that its connections have. */
export interface Channel {
  readonly pool: pg.Pool
  readonly session: Session
}

export interface Connections {
  /** For reads and writes. */
  readonly main: Channel
  /** For transactions that take long, which would keep a connection of a pooler from others. */
  readonly long: Channel
  /** The session of connections that bypass a pooler. */
  readonly direct: Session
  /** The configuration of a connection that no other transaction uses, if there can be one. */
  readonly ownConfig: pg.ClientConfig
  /** Reads with one statement on a connection of its own. */
  read(on: Channel, sql: string, ...parameters: readonly SqlValue[]): Promise<readonly Row[]>
  /** Destroys all connections, when the server does not respond. */
  destroyAll(): void
  end(): Promise<void>
}

export interface ConnectionOptions extends SessionOptions {
  readonly poolSize: number
  /** False behind a transaction pooler. */
  readonly prepare: boolean
  readonly directUrl: string | null
}

/** Connections that bypass a pooler, beside the one that listens. */
const LONG_CONNECTIONS = 2

/** Connects when a connection is needed. */
export function openConnections(url: string, options: ConnectionOptions): Connections {
  const { poolSize, prepare, directUrl, statementTimeout } = options
  const direct = directSession(options)
  const session = prepare ? direct : pooledSession(options)
  const sockets = createSockets()
  const poolFor = (config: pg.ClientConfig, max: number) =>
    createPool({ ...config, stream: sockets.create, max, idleTimeoutMillis: 60_000 })
  const main = { session, pool: poolFor(session.config(url), poolSize) }
  const long =
    directUrl === null ? main : { session: direct, pool: poolFor(direct.config(directUrl), LONG_CONNECTIONS) }
  return {
    main,
    long,
    direct,
    ownConfig: long.session.config(directUrl ?? url),
    read: ({ pool, session: on }, sql, ...parameters) =>
      withClient(pool, (client) => on.read(client, { sql, parameters }, statementTimeout)),
    destroyAll: sockets.destroyAll,
    async end() {
      const pools = new Set([main.pool, long.pool])
      await Promise.all([...pools].map((pool) => endPool(pool, sockets.destroyAll)))
    },
  }
}
