/**
 * Keeps this process and the others on the same database in step. Each tells the others with NOTIFY what it has written
 * and up to which position of the log, after the commit; a write that nobody can be told of is not acknowledged. Inside
 * the transaction NOTIFY would make commits wait for each other. While this process cannot listen, nothing it knows is trusted: every
 * question for a version gets a new number.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { errors } from '../../errors.ts'
import { isAway } from './failures.ts'
import { createKnown, EVERYTHING } from './known-versions.ts'
import { PRIMARY_POSITION, parsePosition, positionText, UNKNOWN_POSITION } from './position.ts'
import type { SiblingProcesses } from './sibling-processes.ts'

const CHANNEL = 'octavo_versions'
const LISTENER = 'octavo listener'
/** PostgreSQL's bound on what a notification carries, and room for the position in it. */
const PAYLOAD_LIMIT = 8000 - 20
const HEARTBEAT = 3_000
const RECONNECT = { first: 100, most: 1_000 }
/** How often all is doubted again after a commit of unknown fate: its connection may outlive this end of it. */
const DOUBTS = 2

/** Whoever is told of a position has been told of all positions before it: announcements take turns. */
const TELL = `SELECT position::text AS position, pg_notify('${CHANNEL}', concat($1::text, E'\\n', position, $2::text))
  FROM (SELECT ${PRIMARY_POSITION} AS position
    FROM (SELECT pg_advisory_xact_lock(6227, 1) OFFSET 0) AS turn OFFSET 0) AS told`

const PEERS = {
  text: `SELECT string_agg(pid::text, ',' ORDER BY pid) AS pids, ${PRIMARY_POSITION}::text AS position
    FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
  values: [LISTENER],
}

/**
 * Starts to listen; resolves when the first connection listens. `pool` stands in when the listener is away; `onAway` is
 * called when the server is found not to answer at all.
 */
export async function followVersions(
  config: pg.ClientConfig,
  pool: pg.Pool,
  onAway: () => void,
  siblings: SiblingProcesses | null = null,
) {
  const known = createKnown()
  const sender = randomUUID()
  /** Every announcement up to this position has arrived. */
  let heard = 0
  /** The newest position that this process has announced. */
  let told = 0
  /** Whether something was written that the others could not be told of. */
  let owes = siblings?.hasUnannounced ?? false
  let doubts = 0
  let waiting: (() => void)[] = []
  let client: pg.Client | null = null
  let away = false
  let peers = ''
  let closed = false
  let delay = RECONNECT.first
  let timer: NodeJS.Timeout | undefined

  const wake = () => {
    const woken = waiting
    waiting = []
    for (const resume of woken) resume()
  }

  const hear = ({ payload = '' }: pg.Notification) => {
    const [who = '', text, ...tables] = payload.split('\n')
    const [from, mark = ''] = who.split(' ')
    const position = parsePosition(text)
    if (from !== sender) known.heard(tables, position ?? UNKNOWN_POSITION)
    if (position !== null) heard = Math.max(heard, position)
    siblings?.noteReceived(mark)
    wake()
  }

  const lose = (former: pg.Client) => {
    if (client !== former) return
    client = null
    wake()
    former.end().catch(() => {})
    reconnect()
  }

  const reconnect = () => {
    if (closed) return
    timer = setTimeout(() => {
      connect().catch((error: unknown) => {
        const wasAway = away
        away = isAway(error)
        if (away && !wasAway) onAway()
        reconnect()
      })
    }, delay)
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
      connectionTimeoutMillis: HEARTBEAT,
    })
    next.on('error', () => lose(next))
    next.on('end', () => lose(next))
    next.on('notification', hear)
    const moment = known.moment()
    let position = 0
    try {
      await next.connect()
      await next.query(`LISTEN ${CHANNEL}`)
      position = positionOf(await next.query(`SELECT ${PRIMARY_POSITION}::text AS position`))
    } catch (error) {
      next.end().catch(() => {})
      throw error
    }
    if (closed) return next.end()
    // Whatever was written while nobody listened is unknown, but lies before this position.
    siblings?.noteAllReceived()
    known.startAnew(position)
    known.settle([EVERYTHING], moment, position)
    heard = position
    client = next
    away = false
    delay = RECONNECT.first
    if (owes) announceEverything()
  }

  /** A silent connection is a lost one; a process that went away may have committed without telling. */
  async function watch(asked: pg.Client) {
    try {
      const answer = await asked.query<{ pids: string; position: string }>(PEERS)
      const pids = answer.rows[0]?.pids ?? ''
      if (pids !== peers) known.heard([EVERYTHING], positionOf(answer))
      peers = pids
    } catch {
      return lose(asked)
    }
    if (owes || doubts > 0) announceEverything()
    doubts = Math.max(0, doubts - 1)
  }

  /** Tells the other processes; answers with a position behind everything told of, or null when nobody could be told. */
  async function tell(tables: ReadonlySet<string>): Promise<number | null> {
    const moment = known.moment()
    const list = [...tables].map((table) => `\n${table}`).join('')
    const who = siblings ? `${sender} ${siblings.beginAnnouncement()}` : sender
    const fits = Buffer.byteLength(list) + Buffer.byteLength(who) < PAYLOAD_LIMIT
    const query = { text: TELL, values: [who, fits ? list : `\n${EVERYTHING}`] }
    const listener = client
    try {
      const asked = listener?.query(query).catch(() => pool.query(query)) ?? pool.query(query)
      const position = positionOf(await asked)
      known.settle(tables, moment, position)
      told = Math.max(told, position)
      if (tables.has(EVERYTHING)) owes = false
      siblings?.endAnnouncement(!owes)
      return position
    } catch {
      if (tables.size > 0) owes = true
      if (owes) siblings?.endAnnouncement(false)
      return null
    }
  }

  /** Tells the other processes. Writes that end while an announcement is under way share the next one. */
  const announce = coalesce(tell)

  const announceEverything = () => {
    known.wrote([EVERYTHING])
    announce([EVERYTHING]).catch(() => {})
  }

  /** Resolves with the next notification, or when none will come. */
  const next = () => new Promise<void>((resolve) => waiting.push(resolve))

  async function hearSiblings() {
    while (client && siblings?.state() === 'behind') await next()
  }

  await connect()
  const heartbeat = setInterval(() => {
    if (client) void watch(client)
  }, HEARTBEAT)
  heartbeat.unref()

  return {
    of: (table: string) =>
      client && siblings?.state() !== 'unknown' ? known.versionOf(table) : known.newVersion(),
    moment: () => (client && siblings?.state() !== 'unknown' ? known.moment() : known.newVersion()),
    /** Bumps the tables of a write that has just been committed. */
    wrote: known.wrote,
    announce,
    /** To be called when nobody can tell whether a write was committed. */
    doubt() {
      doubts = DOUBTS
      announceEverything()
    },
    /** Whether the server was last seen not to answer at all. */
    isAway: () => away,
    /** How far a replica must have come to show these tables as this process knows them, if that can be known. */
    neededFor: (tables: readonly string[]) => (client ? known.neededFor(tables) : UNKNOWN_POSITION),
    /** How far a replica must have come to show every write that was acknowledged here, or elsewhere and is known of. */
    acknowledged: () => Math.max(told, heard),
    /** Behind every write of this process that was acknowledged; null when there is none. */
    latest: () => (told === 0 ? null : positionText(told)),
    /** Resolves when this process knows of every write that was acknowledged with this position anywhere. */
    async reach(text: string) {
      const position = parsePosition(text)
      if (position === null || position <= heard) return
      // Announcements arrive in order: when one made now is back, so are all before it.
      const now = await announce([])
      if (now === null) throw errors.unavailable(1, 'The database is away')
      while (client && heard < now) await next()
      heard = Math.max(heard, now)
    },
    /** Resolves when what other processes of this server have acknowledged so far has arrived; null when it has. */
    keepUp: (): Promise<void> | null => (client && siblings?.state() === 'behind' ? hearSiblings() : null),
    async close() {
      closed = true
      clearInterval(heartbeat)
      clearTimeout(timer)
      const last = client
      client = null
      wake()
      await last?.end().catch(() => {})
    },
  }
}

function positionOf({ rows: [row] }: pg.QueryResult<{ position: string }>): number {
  const position = parsePosition(row?.position)
  if (position === null) throw new Error('The server does not tell its position')
  return position
}

/** Runs `tell` for one set of names at a time; names that come meanwhile are told together. */
function coalesce<Told>(tell: (names: ReadonlySet<string>) => Promise<Told>) {
  let gathered = new Set<string>()
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<Told> | null = null
  return (names: Iterable<string>): Promise<Told> => {
    for (const name of names) gathered.add(name)
    next ??= current.then(() => {
      const taken = gathered
      gathered = new Set()
      next = null
      const telling = tell(taken)
      current = telling
      return telling
    })
    return next
  }
}
