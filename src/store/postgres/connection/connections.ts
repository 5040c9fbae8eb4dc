/** The connections of a store to its primary: those of reads and writes, and those of what takes long. */
import pg from 'pg'
import { urlsOfHosts } from '../../../project/config/database-url.ts'
import type { Row, SqlValue } from '../../statement.ts'
import { createPool, createSockets, endPool, withClient } from './connection.ts'
import { createHosts, type Hosts } from './hosts.ts'
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
  /** The configuration of a connection to the primary that no other transaction uses, if there can be one. */
  ownConfig(): pg.ClientConfig
  /** Finds the primary, if the URL names several servers; rejects if none accepts writes. */
  findPrimary(): Promise<void>
  /** Whether the last commit of a connection has not waited for its synchronous standby. Forgets it. */
  takeUnreplicated(client: pg.ClientBase): boolean
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

/** The function of PostgreSQL that warns when a commit has stopped waiting for the synchronous standby. */
const WAITS_FOR_STANDBY = 'SyncRepWaitForLSN'

/** Clients that connect to the server which is the primary at the time. */
const clientOf = (hosts: Hosts) =>
  class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: hosts.current() })
    }
  }

/** Connects when a connection is needed. */
export function openConnections(url: string, options: ConnectionOptions): Connections {
  const { poolSize, prepare, directUrl, statementTimeout } = options
  const direct = directSession(options)
  const sockets = createSockets()
  const unreplicated = new WeakSet<pg.ClientBase>()
  const openChannel = (to: string, session: Session, max: number) => {
    const urls = urlsOfHosts(to)
    const hosts = createHosts(urls, session.config)
    const pool = createPool({
      ...session.config(hosts.current()),
      ...(urls.length > 1 && { Client: clientOf(hosts) }),
      ...{ stream: sockets.create, max, idleTimeoutMillis: 60_000 },
    })
    pool.on('connect', (client) =>
      client.on('notice', ({ routine }) => {
        if (routine === WAITS_FOR_STANDBY) unreplicated.add(client)
      }),
    )
    return { hosts, session, pool }
  }
  const main = openChannel(url, prepare ? direct : pooledSession(options), poolSize)
  const long = directUrl === null ? main : openChannel(directUrl, direct, LONG_CONNECTIONS)
  return {
    main,
    long,
    direct,
    ownConfig: () => long.session.config(long.hosts.current()),
    async findPrimary() {
      const channels = new Set([main, long])
      const changes = await Promise.all([...channels].map(({ hosts }) => hosts.find()))
      // Connections to a former primary are not used any more.
      if (changes.includes(true)) sockets.destroyAll()
    },
    takeUnreplicated: (client) => unreplicated.delete(client),
    read: ({ pool, session: on }, sql, ...parameters) =>
      withClient(pool, (client) => on.read(client, { sql, parameters }, statementTimeout)),
    destroyAll: sockets.destroyAll,
    async end() {
      const pools = new Set([main.pool, long.pool])
      await Promise.all([...pools].map((pool) => endPool(pool, sockets.destroyAll)))
    },
  }
}
