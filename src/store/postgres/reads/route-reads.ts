/** Sends reads to a replica that is up to date, or to the primary; without the primary, to any replica that knows all writes. */
import type pg from 'pg'
import type { Row, Statement } from '../../statement.ts'
import { withClient } from '../connection/connection.ts'
import {
  connectionLost,
  isPoolExhausted,
  isStale,
  isStatementTimeout,
  isTooLarge,
  isUnreachable,
} from '../failures.ts'
import type { openReplicas } from '../replicas.ts'
import type { followVersions } from '../versions/versions.ts'
import type { SendOptions, SendWithin } from './limited-reads.ts'
import type { SharedConnections } from './shared-connections.ts'

type SendRead = (client: pg.PoolClient, statement: Statement, milliseconds: number) => Promise<readonly Row[]>

export interface ReadRoutes {
  /** The connections to the primary. */
  readonly pool: pg.Pool
  /** Those of them that fast reads share; null where none is shared. */
  readonly shared: SharedConnections | null
  readonly replicas: ReturnType<typeof openReplicas> | null
  readonly versions: Awaited<ReturnType<typeof followVersions>>
  readonly send: SendRead
  /** Sends a read on a shared connection. */
  readonly sendTogether: SendRead
  readonly sendToReplica: SendRead
  /** Called when a prepared statement does not fit the tables any more, or does not exist. */
  forgetStatements(error: unknown): void
  /** Throws when the primary is known to be unavailable. */
  refuseIfUnavailable(): void
  isClosing(): boolean
}

/** The function that sends a read of these tables. Reads without tables go to the primary. */
export function routeReads(routes: ReadRoutes): (tables: readonly string[] | undefined) => SendWithin {
  const { pool, shared, replicas, versions, forgetStatements, refuseIfUnavailable } = routes
  const { send, sendTogether, sendToReplica } = routes

  const readFromPrimary: SendWithin = async (statement, { milliseconds, quickTime = null, onTime }) => {
    const sendHere = () =>
      quickTime !== null && shared
        ? shared.run((client) => sendTogether(client, statement, milliseconds), quickTime, onTime)
        : withClient(pool, (client) => timed(() => send(client, statement, milliseconds), onTime))
    refuseIfUnavailable()
    try {
      return await sendHere()
    } catch (error) {
      if (isStale(error)) forgetStatements(error)
      else if (!connectionLost(error)) throw error
    }
    // The server has closed an idle connection or dropped a prepared statement; a read can be sent again.
    refuseIfUnavailable()
    return sendHere()
  }

  /** Reads from a replica that has replayed the position; null when there is none, or it fails where the primary may not. */
  const readFromReplica = async (
    [statement, { milliseconds, onTime }]: Parameters<SendWithin>,
    position: number,
    isLastResort = false,
  ): Promise<readonly Row[] | null> => {
    if (!replicas || routes.isClosing()) return null
    const sendThere = (client: pg.PoolClient) =>
      timed(() => sendToReplica(client, statement, milliseconds), onTime)
    try {
      return await replicas.read(position, sendThere, isLastResort)
    } catch (error) {
      if (isStatementTimeout(error) || isTooLarge(error)) throw error
      if (isStale(error)) forgetStatements(error)
      return null
    }
  }

  return (tables) =>
    async (...read) => {
      try {
        const rows = tables && (await readFromReplica(read, versions.requiredPosition(tables)))
        return rows ?? (await readFromPrimary(...read))
      } catch (error) {
        // A primary that has disappeared without closing its connections looks like an exhausted pool.
        const isPrimaryLost = versions.isUnreachable() || isUnreachable(error) || isPoolExhausted(error)
        const rows = isPrimaryLost ? await readFromReplica(read, versions.acknowledgedPosition(), true) : null
        if (!rows) throw error
        return rows
      }
    }
}

/** Calls `onTime` with the milliseconds that a read takes. */
async function timed<Result>(read: () => Promise<Result>, onTime: SendOptions['onTime']): Promise<Result> {
  const start = performance.now()
  try {
    return await read()
  } finally {
    onTime?.(performance.now() - start)
  }
}
