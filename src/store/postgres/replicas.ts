/**
 * Reads on streaming replicas. A replica is asked only for what it has replayed, and the answer counts only if the
 * connection that gave it says so: a replica that was restarted may show an older state than before. One that is away,
 * lags or is no replica of this database is left out, and taken back when it can serve again.
 */
import pg from 'pg'
import type { Row } from '../statement.ts'
import type { ReplicaState } from '../store.ts'
import { createPool, createSockets, endPool } from './connection.ts'
import { connectionLost, isAway, isCrowded, reasonOf } from './failures.ts'
import { parsePosition, REPLAYED_POSITION } from './position.ts'

export interface ReplicaOptions {
  readonly config: pg.ClientConfig
  readonly poolSize: number
  /** Milliseconds that a replica may be behind the primary. */
  readonly maxLag: number
  /** The position of the primary now, and which database it serves; rejects while it is away. */
  readonly primary: () => Promise<Primary>
  readonly isPrimaryAway: () => boolean
  readonly notice: (words: string) => void
}

export interface Primary {
  readonly position: number
  readonly identity: string
}

/** Sends a statement on a connection. */
type Ask = (client: pg.PoolClient) => Promise<readonly Row[]>

/** Names a database: the same on a primary and its replicas, different on any other. */
export const IDENTITY = `(SELECT system_identifier::text FROM pg_control_system()) || '/' ||
  (SELECT oid::text FROM pg_database WHERE datname = current_database())`

const NOT_YET = 'not reached yet'
const POSITION = { text: `SELECT ${REPLAYED_POSITION}::text AS position`, name: 'octavo_position' }
/** Milliseconds between looks: at one that serves, at one that is away, at one that a reader finds behind. */
const LOOK = { steady: 1_000, away: 500, behind: 10 }
/** Milliseconds after which a replica that does not answer a look, or takes no connection, counts as away. */
const PATIENCE = 2_000

/** Starts to watch the replicas; those that cannot be reached are taken in when they can. */
export function openReplicas(urls: readonly string[], options: ReplicaOptions) {
  const replicas = urls.map((url) => openReplica(url, options))
  let turn = 0

  /** The replica with the fewest reads under way of those that have come far enough; they take turns. */
  function choose(needed: number) {
    let chosen: Replica | null = null
    turn = (turn + 1) % replicas.length
    for (let offset = 0; offset < replicas.length; offset++) {
      const replica = replicas[(turn + offset) % replicas.length]
      if (!replica?.has(needed)) continue
      if (!chosen || replica.busy() < chosen.busy()) chosen = replica
    }
    return chosen
  }

  return {
    /**
     * What a replica answers that has replayed `needed`; null when none has, or it fails: then the primary is asked. As
     * a last resort those are asked too that had not come so far when they were last looked at.
     */
    async read(needed: number, ask: Ask, isLastResort = false): Promise<readonly Row[] | null> {
      if (!Number.isFinite(needed)) return null
      const rows = await choose(needed)?.read(needed, ask)
      if (rows || !isLastResort) return rows ?? null
      for (const replica of replicas) {
        const late = replica.serves() ? await replica.read(needed, ask) : null
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
  const own = { ...config, connectionString: url, connectionTimeoutMillis: PATIENCE }
  const name = new URL(url).host
  const sockets = createSockets()
  const pool = createPool({ ...own, stream: sockets.make, max: poolSize, idleTimeoutMillis: 60_000 })
  /** How far each connection has said that its server has come: it never goes back while the connection lives. */
  const marks = new WeakMap<pg.PoolClient, number>()
  let replayed = 0
  let leftOut: string | null = NOT_YET
  let identity = ''
  /** Where the primary was when this was last asked. */
  let target = { position: 0, at: Number.NEGATIVE_INFINITY }
  let reads = 0
  let under = 0
  let watcher: pg.Client | null = null
  let looking = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let due = 0

  function leave(reason: string | null) {
    if (reason !== null && (leftOut === null || leftOut === NOT_YET))
      notice(`The replica ${name} is left out: ${reason}`)
    if (reason === null && leftOut !== null) notice(`The replica ${name} serves reads`)
    leftOut = reason
  }

  function leaveForNow(error: unknown) {
    leave(reasonOf(error))
    lookIn(LOOK.away)
  }

  /** Looks after some milliseconds, or earlier when that was planned. */
  function lookIn(delay: number) {
    const at = performance.now() + delay
    if (closed || looking || (timer !== undefined && due <= at)) return
    clearTimeout(timer)
    due = at
    timer = setTimeout(look, delay)
    timer.unref()
  }

  async function look() {
    looking = true
    try {
      watcher ??= await openWatcher()
      replayed = positionOf((await watcher.query(POSITION)).rows)
      const since = performance.now() - target.at
      // Not waited for: the primary may be away.
      if (replayed >= target.position && since >= LOOK.steady) askPrimary().catch(() => {})
      leave(isBehind() && since > maxLag ? `it lags by more than ${Math.floor(since / 1000)} s` : null)
    } catch (error) {
      dropWatcher()
      leave(reasonOf(error))
      // Reads that wait for it in vain are the primary's.
      if (isAway(error)) sockets.cut()
    }
    looking = false
    timer = undefined
    lookIn(watcher ? LOOK.steady : LOOK.away)
  }

  /** Nobody can be behind a primary that is away. */
  const isBehind = () => replayed < target.position && !options.isPrimaryAway()

  let asked: Promise<void> | null = null

  function askPrimary(): Promise<void> {
    const at = performance.now()
    asked ??= options
      .primary()
      .then(({ position, ...now }) => {
        target = { position, at }
        identity = now.identity
      })
      .finally(() => {
        asked = null
      })
    return asked
  }

  async function openWatcher(): Promise<pg.Client> {
    const next = new pg.Client({ ...own, application_name: 'octavo watcher', query_timeout: PATIENCE })
    next.on('error', () => {})
    next.on('end', () => {
      if (watcher === next) dropWatcher()
    })
    try {
      await next.connect()
      const { rows } = await next.query<{ identity: string }>(`SELECT ${IDENTITY} AS identity`)
      await askPrimary().catch(() => {})
      if (rows[0]?.identity !== identity) throw new Error('it is no replica of this database')
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

  async function read(needed: number, ask: Ask): Promise<readonly Row[] | null> {
    const client = await pool.connect().catch((error: unknown) => {
      // All of its connections may just be busy.
      if (!isCrowded(error)) leaveForNow(error)
      return null
    })
    if (!client) return null
    let isBroken = false
    const noteBroken = () => {
      isBroken = true
    }
    client.on('error', noteBroken)
    try {
      if ((marks.get(client) ?? 0) >= needed) return await ask(client)
      // Both are sent at once; the server answers one after the other.
      const position = client.query(POSITION).then(({ rows }) => positionOf(rows))
      const [mark, rows] = await Promise.all([position, ask(client)])
      marks.set(client, mark)
      replayed = mark
      return mark >= needed ? rows : null
    } catch (error) {
      if (!connectionLost(error)) throw error
      isBroken = true
      leaveForNow(error)
      return null
    } finally {
      client.off('error', noteBroken)
      client.release(isBroken)
    }
  }

  lookIn(0)
  return {
    name,
    pool,
    /** Whether it serves and has come so far, as far as this process knows; if not, it is looked at soon. */
    has(needed: number): boolean {
      if (leftOut !== null) return false
      if (replayed >= needed) return true
      lookIn(LOOK.behind)
      return false
    },
    serves: () => leftOut === null,
    busy: () => under,
    async read(needed: number, ask: Ask): Promise<readonly Row[] | null> {
      under++
      try {
        const rows = await read(needed, ask)
        if (rows) reads++
        return rows
      } finally {
        under--
      }
    },
    state: (): ReplicaState => ({ name, leftOut, reads }),
    async close() {
      closed = true
      clearTimeout(timer)
      dropWatcher()
      await endPool(pool, sockets.cut)
    },
  }
}

function positionOf([row]: readonly { readonly position?: unknown }[]): number {
  const position = parsePosition(row?.position)
  if (position === null) throw new Error('it is no replica, or no longer one')
  return position
}
