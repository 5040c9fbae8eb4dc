/**
 * Versions of tables on PostgreSQL. This process bumps what it writes and tells the others with NOTIFY, after the
 * commit and before the write is acknowledged. Inside the transaction NOTIFY would make commits wait for each other.
 * While this process cannot listen, every question gets a new number, so nothing stale is served.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

const CHANNEL = 'octavo_versions'
const LISTENER = 'octavo listener'
/** PostgreSQL's bound on what a notification carries, and what stands for more tables than fit in it. */
const PAYLOAD_LIMIT = 8000
const EVERYTHING = '*'
const HEARTBEAT = 5_000
const RECONNECT = { first: 100, most: 5_000 }
const PEERS = {
  text: `SELECT string_agg(pid::text, ',' ORDER BY pid) AS pids FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = $1`,
  values: [LISTENER],
}

/** Starts to listen; resolves when the first connection listens. `pool` stands in when the listener is away. */
export async function followVersions(config: pg.ClientConfig, pool: pg.Pool) {
  const bumped = new Map<string, number>()
  const sender = randomUUID()
  let tick = 1
  let everything = 1
  let client: pg.Client | null = null
  let peers = ''
  let closed = false
  let delay = RECONNECT.first
  let timer: NodeJS.Timeout | undefined

  const bump = (tables: Iterable<string>) => {
    for (const table of tables) bumped.set(table, ++tick)
  }

  const bumpEverything = () => {
    everything = ++tick
    bumped.clear()
  }

  const hear = ({ payload = '' }: pg.Notification) => {
    const [from, ...tables] = payload.split('\n')
    if (from === sender) return
    if (tables[0] === EVERYTHING) bumpEverything()
    else bump(tables)
  }

  const lose = (former: pg.Client) => {
    if (client !== former) return
    client = null
    former.end().catch(() => {})
    reconnect()
  }

  const reconnect = () => {
    if (closed) return
    timer = setTimeout(() => void connect().catch(reconnect), delay)
    timer.unref()
    delay = Math.min(delay * 2, RECONNECT.most)
  }

  async function connect() {
    const next = new pg.Client({
      ...config,
      application_name: LISTENER,
      // Nothing of its own to keep: a notification need not wait for the disk.
      options: `${config.options ?? ''} -c synchronous_commit=off`,
      query_timeout: HEARTBEAT,
    })
    next.on('error', () => lose(next))
    next.on('end', () => lose(next))
    next.on('notification', hear)
    try {
      await next.connect()
      await next.query(`LISTEN ${CHANNEL}`)
    } catch (error) {
      next.end().catch(() => {})
      throw error
    }
    if (closed) return next.end()
    // Whatever was written while nobody listened is unknown.
    bumpEverything()
    client = next
    delay = RECONNECT.first
  }

  /** A silent connection is a lost one; a process that went away may have committed without telling. */
  async function watch(asked: pg.Client) {
    try {
      const { rows } = await asked.query<{ pids: string }>(PEERS)
      const pids = rows[0]?.pids ?? ''
      if (pids !== peers) bumpEverything()
      peers = pids
    } catch {
      lose(asked)
    }
  }

  async function tell(tables: ReadonlySet<string>) {
    const payload = [sender, ...tables].join('\n')
    const fitting = Buffer.byteLength(payload) < PAYLOAD_LIMIT ? payload : `${sender}\n${EVERYTHING}`
    const query = { text: 'SELECT pg_notify($1, $2)', values: [CHANNEL, fitting] }
    try {
      await (client ?? pool).query(query)
    } catch {
      // When this fails too the server is away, and the others will know that they have missed something.
      await pool.query(query).catch(() => {})
    }
  }

  await connect()
  const heartbeat = setInterval(() => {
    if (client) void watch(client)
  }, HEARTBEAT)
  heartbeat.unref()

  return {
    of: (table: string) => (client ? (bumped.get(table) ?? everything) : ++tick),
    bump,
    bumpEverything,
    /** Tells the other processes. Writes that end while a notification is under way share the next one. */
    announce: coalesce(tell),
    async close() {
      closed = true
      clearInterval(heartbeat)
      clearTimeout(timer)
      const last = client
      client = null
      await last?.end().catch(() => {})
    },
  }
}

/** Runs `tell` for one set of names at a time; names that come meanwhile are told together. */
function coalesce(tell: (names: ReadonlySet<string>) => Promise<void>) {
  let gathered = new Set<string>()
  let current = Promise.resolve()
  let next: Promise<void> | null = null
  return (names: Iterable<string>): Promise<void> => {
    for (const name of names) gathered.add(name)
    next ??= current.then(() => {
      const taken = gathered
      gathered = new Set()
      next = null
      current = tell(taken)
      return current
    })
    return next
  }
}
