/**
 * Reads on streaming replicas. A replica is used only for what it has replayed, and its result counts only if the same
 * connection confirms that: a restarted replica may show an older state than before. A replica that cannot be reached,
 * lags, or belongs to another database is left out until it can serve again.
 */
import pg from 'pg'
import { serverOf, urlsOfHosts } from '../../project/config/database-url.ts'
import type { Row } from '../statement.ts'
import type { ReplicaState } from '../store.ts'
import { createPool, createSockets, endPool } from './connection/connection.ts'
import { connectionLost, isPoolExhausted, isUnreachable, reasonOf } from './failures.ts'
import { parsePosition, REPLAYED_POSITION } from './versions/position.ts'

export interface ReplicaOptions {
  readonly config: pg.ClientConfig
  readonly poolSize: number
  /** The milliseconds that a replica may be behind the primary. */
  readonly maxLag: number
  /** Reads the current state of the primary; rejects while it is unreachable. */
  readonly readPrimary: () => Promise<PrimaryState>
  readonly isPrimaryUnreachable: () => boolean
  /** How often this process has connected to a primary, each of which may be another server. */
  readonly primaryConnections: () => number
  /** Logs a message for the operator. */
  readonly notice: (message: string) => void
}

export interface PrimaryState {
  readonly position: number
  /** Increases with every promotion. */
  readonly timeline: number
  readonly identity: string
}

/** Sends a query on a connection. */
type SendQuery = (client: pg.PoolClient) => Promise<readonly Row[]>

/** Identifies a database: the same on a primary and its replicas, different on any other. */
export const IDENTITY = `(SELECT system_identifier::text FROM pg_control_system()) || '/' ||
  (SELECT oid::text FROM pg_database WHERE datname = current_database())`

/**
 * The timeline that a replica follows, as far as its user may know: of what it receives, or else of the newest page that it
 * has stored. 0 if neither is known.
 */
const TIMELINE = `coalesce((SELECT received_tli FROM pg_stat_wal_receiver),
  (SELECT min_recovery_end_timeline FROM pg_control_recovery()), 0)`

const NOT_YET = 'not reached yet'
const POSITION = { text: `SELECT ${REPLAYED_POSITION}::text AS position`, name: 'octavo_position' }
const CHECK = `SELECT ${REPLAYED_POSITION}::text AS position, ${TIMELINE} AS timeline`
/** Milliseconds until the next check: of a replica that serves, cannot be reached, or was too far behind for a read. */
const CHECK_DELAY = { serving: 1_000, unreachable: 500, behind: 10 }
/** Milliseconds after which a replica that does not respond counts as unreachable. */
const RESPONSE_TIMEOUT = 2_000

/** Starts to watch the replicas. A replica that cannot be reached yet is used as soon as it can be. */
export function openReplicas(urls: readonly string[], options: ReplicaOptions) {
  const replicas = urls.map((url) => openReplica(urlsOfHosts(url)[0], options))
  let first = 0

  /** The replica with the fewest reads in progress among those that have replayed the position; equals take turns. */
  function choose(position: number) {
    let chosen: Replica | null = null
    first = (first + 1) % replicas.length
    for (let offset = 0; offset < replicas.length; offset++) {
      const replica = replicas[(first + offset) % replicas.length]
      if (!replica?.hasReplayed(position)) continue
      if (!chosen || replica.readsInProgress() < chosen.readsInProgress()) chosen = replica
    }
    return chosen
  }

  return {
    /**
     * Reads from a replica that has replayed the position; null when none has or it fails, and the primary must be used.
     * As a last resort, replicas that had not replayed it at their last check are tried too.
     */
    async read(position: number, send: SendQuery, isLastResort = false): Promise<readonly Row[] | null> {
      if (!Number.isFinite(position)) return null
      const rows = await choose(position)?.read(position, send)
      if (rows || !isLastResort) return rows ?? null
      for (const replica of replicas) {
        const late = replica.isServing() ? await replica.read(position, send) : null
        if (late) return late
      }
      return null
    },
    pools: () => replicas.map(({ pool, name }) => [name, pool] as const),
    states: (): readonly ReplicaState[] => replicas.map((replica) => replica.state()),
    close: () => Promise.all(replicas.map((replica) => replica.close())),
  }
}

type Replica = ReturnType<typeof openReplica>

function openReplica(url: string, options: ReplicaOptions) {
  const { config, poolSize, maxLag, notice } = options
  const ownConfig = { ...config, connectionString: url, connectionTimeoutMillis: RESPONSE_TIMEOUT }
  const name = serverOf(url)
  const sockets = createSockets()
  const pool = createPool({ ...ownConfig, stream: sockets.create, max: poolSize, idleTimeoutMillis: 60_000 })
  /** The position that each connection has reported; it never goes back while the connection lives. */
  const reported = new WeakMap<pg.PoolClient, number>()
  let replayed = 0
  let leftOut: string | null = NOT_YET
  let identity = ''
  /** The position of the primary when it was last read. */
  let primary = { position: 0, timeline: 0, at: Number.NEGATIVE_INFINITY }
  /** The connection to the primary, by its number, for which the replica was last checked. */
  let checkedFor = 0
  let reads = 0
  let inProgress = 0
  let watcher: pg.Client | null = null
  let isChecking = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let nextCheckAt = 0

  function setLeftOut(reason: string | null) {
    if (reason !== null && (leftOut === null || leftOut === NOT_YET))
      notice(`The replica ${name} is left out: ${reason}`)
    if (reason === null && leftOut !== null) notice(`The replica ${name} serves reads`)
    leftOut = reason
  }

  function leaveOutForNow(error: unknown) {
    setLeftOut(reasonOf(error))
    checkIn(CHECK_DELAY.unreachable)
  }

  /** Checks the replica after the delay, or earlier if an earlier check is planned. */
  function checkIn(delay: number) {
    const at = performance.now() + delay
    if (closed || isChecking || (timer !== undefined && nextCheckAt <= at)) return
    clearTimeout(timer)
    nextCheckAt = at
    timer = setTimeout(check, delay)
    timer.unref()
  }

  async function check() {
    isChecking = true
    const connection = options.primaryConnections()
    try {
      watcher ??= await openWatcher()
      const { rows } = await watcher.query(CHECK)
      replayed = positionOf(rows)
      if (checkedFor !== connection) {
        // Not known while the primary is unreachable again.
        const isKnown = await refreshPrimary().then(
          () => true,
          () => false,
        )
        if (isKnown) checkedFor = connection
      }
      if (isOfFormerPrimary(Number(rows[0]?.timeline))) throw new Error('it follows a former primary')
      const age = performance.now() - primary.at
      // Not awaited: the primary may be unreachable.
      if (replayed >= primary.position && age >= CHECK_DELAY.serving) refreshPrimary().catch(() => {})
      setLeftOut(isBehind() && age > maxLag ? `it lags by more than ${Math.floor(age / 1000)} s` : null)
    } catch (error) {
      dropWatcher()
      setLeftOut(reasonOf(error))
      // Its reads would get no response; they go to the primary instead.
      if (isUnreachable(error)) sockets.destroyAll()
    }
    isChecking = false
    timer = undefined
    checkIn(watcher ? CHECK_DELAY.serving : CHECK_DELAY.unreachable)
  }

  /** It may have replayed what the server that was promoted never received: its positions are then of another history. */
  const isOfFormerPrimary = (timeline: number) => timeline !== 0 && timeline < primary.timeline

  /** Lag cannot be judged while the primary is unreachable. */
  const isBehind = () => replayed < primary.position && !options.isPrimaryUnreachable()

  let refreshing: Promise<void> | null = null

  function refreshPrimary(): Promise<void> {
    const at = performance.now()
    refreshing ??= options
      .readPrimary()
      .then((state) => {
        primary = { position: state.position, timeline: state.timeline, at }
        identity = state.identity
      })
      .finally(() => {
        refreshing = null
      })
    return refreshing
  }

  async function openWatcher(): Promise<pg.Client> {
    const next = new pg.Client({
      ...ownConfig,
      application_name: 'octavo watcher',
      query_timeout: RESPONSE_TIMEOUT,
    })
    next.on('error', () => {})
    next.on('end', () => {
      if (watcher === next) dropWatcher()
    })
    try {
      await next.connect()
      const { rows } = await next.query<{ identity: string }>(`SELECT ${IDENTITY} AS identity`)
      await refreshPrimary().catch(() => {})
      if (rows[0]?.identity !== identity) throw new Error('it is not a replica of this database')
      return next
    } catch (error) {
      next.end().catch(() => {})
      throw error
    }
  }

  function dropWatcher() {
    watcher?.end().catch(() => {})
    watcher = null
  }

  async function read(position: number, send: SendQuery): Promise<readonly Row[] | null> {
    const client = await pool.connect().catch((error: unknown) => {
      // An exhausted pool only means that the replica is busy.
      if (!isPoolExhausted(error)) leaveOutForNow(error)
      return null
    })
    if (!client) return null
    let isBroken = false
    const noteBroken = () => {
      isBroken = true
    }
    client.on('error', noteBroken)
    try {
      if ((reported.get(client) ?? 0) >= position) return await send(client)
      // Sent together; the server runs them in this order.
      const reporting = client.query(POSITION).then(({ rows }) => positionOf(rows))
      const [current, rows] = await Promise.all([reporting, send(client)])
      reported.set(client, current)
      replayed = current
      return current >= position ? rows : null
    } catch (error) {
      if (!connectionLost(error)) throw error
      isBroken = true
      leaveOutForNow(error)
      return null
    } finally {
      client.off('error', noteBroken)
      client.release(isBroken)
    }
  }

  checkIn(0)
  return {
    name,
    pool,
    /** Whether it serves and is known to have replayed the position; if not, it is checked again soon. */
    hasReplayed(position: number): boolean {
      if (leftOut !== null) return false
      if (replayed >= position && checkedFor === options.primaryConnections()) return true
      checkIn(CHECK_DELAY.behind)
      return false
    },
    isServing: () => leftOut === null,
    readsInProgress: () => inProgress,
    async read(position: number, send: SendQuery): Promise<readonly Row[] | null> {
      inProgress++
      try {
        const rows = await read(position, send)
        if (rows) reads++
        return rows
      } finally {
        inProgress--
      }
    },
    state: (): ReplicaState => ({ name, leftOut, reads }),
    async close() {
      closed = true
      clearTimeout(timer)
      dropWatcher()
      await endPool(pool, sockets.destroyAll)
    },
  }
}

function positionOf([row]: readonly { readonly position?: unknown }[]): number {
  const position = parsePosition(row?.position)
  if (position === null) throw new Error('it is not a replica')
  return position
}
