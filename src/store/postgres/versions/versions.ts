/**
 * Table versions across processes. After each commit a process announces with NOTIFY which tables it has written, and
 * up to which position of the log; a write that cannot be announced is not acknowledged. NOTIFY inside the transaction
 * would make commits wait for each other. While this process cannot listen, every version it gives out is a new one,
 * so that nothing cached counts as current.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { errors } from '../../../errors.ts'
import { isUnreachable } from '../failures.ts'
import { createKnownVersions, EVERYTHING } from './known-versions.ts'
import { PRIMARY_POSITION, parsePosition, positionText, UNKNOWN_POSITION } from './position.ts'
import type { SiblingProcesses } from './sibling-processes.ts'

const CHANNEL = 'octavo_versions'
const LISTENER = 'octavo listener'
/** PostgreSQL's limit for a notification, minus room for the position. */
const PAYLOAD_LIMIT = 8000 - 20
const HEARTBEAT = 3_000
const RECONNECT = { first: 100, most: 1_000 }
/**
 * How many heartbeats announce that everything may have changed after a commit of unknown outcome: the server may
 * finish the commit some time after this process has lost the connection.
 */
const REPEATED_ANNOUNCEMENTS = 2

/** The lock makes announcements arrive in the order of their positions: a position implies all earlier ones. */
const ANNOUNCE = `SELECT position::text AS position, pg_notify('${CHANNEL}', concat($1::text, E'\\n', position, $2::text))
  FROM (SELECT ${PRIMARY_POSITION} AS position
    FROM (SELECT pg_advisory_xact_lock(6227, 1) OFFSET 0) AS locked OFFSET 0) AS announced`

const LISTENERS = {
  text: `SELECT string_agg(pid::text, ',' ORDER BY pid) AS pids, ${PRIMARY_POSITION}::text AS position
    FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
  values: [LISTENER],
}

/**
 * Resolves when the first connection listens. `pool` makes announcements when the listener has no connection;
 * `onUnreachable` is called when the server stops responding.
 */
export async function followVersions(
  config: pg.ClientConfig,
  pool: pg.Pool,
  onUnreachable: () => void,
  siblings: SiblingProcesses | null = null,
) {
  const known = createKnownVersions()
  const sender = randomUUID()
  /** All announcements up to this position have been received. */
  let received = 0
  /** The latest position that this process has announced. */
  let announced = 0
  /** Whether a write of this process could not be announced. */
  let hasUnannounced = siblings?.hasUnannounced ?? false
  let announcementsLeft = 0
  let waiting: (() => void)[] = []
  let client: pg.Client | null = null
  let isServerUnreachable = false
  let listeners = ''
  let closed = false
  let delay = RECONNECT.first
  let timer: NodeJS.Timeout | undefined

  const wake = () => {
    const woken = waiting
    waiting = []
    for (const resume of woken) resume()
  }

  const onNotification = ({ payload = '' }: pg.Notification) => {
    const [origin = '', text, ...tables] = payload.split('\n')
    const [from, mark = ''] = origin.split(' ')
    const position = parsePosition(text)
    if (from !== sender) known.noteOtherWrite(tables, position ?? UNKNOWN_POSITION)
    if (position !== null) received = Math.max(received, position)
    siblings?.noteReceived(mark)
    wake()
  }

  const onConnectionLost = (lost: pg.Client) => {
    if (client !== lost) return
    client = null
    wake()
    lost.end().catch(() => {})
    reconnect()
  }

  const reconnect = () => {
    if (closed) return
    timer = setTimeout(() => {
      connect().catch((error: unknown) => {
        const wasUnreachable = isServerUnreachable
        isServerUnreachable = isUnreachable(error)
        if (isServerUnreachable && !wasUnreachable) onUnreachable()
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
      // It stores nothing, so a notification need not wait for the disk.
      options: `${config.options ?? ''} -c synchronous_commit=off`,
      query_timeout: HEARTBEAT,
      connectionTimeoutMillis: HEARTBEAT,
    })
    next.on('error', () => onConnectionLost(next))
    next.on('end', () => onConnectionLost(next))
    next.on('notification', onNotification)
    const versionBefore = known.globalVersion()
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
    // What others wrote while this process did not listen is unknown, but it is before this position.
    siblings?.noteAllReceived()
    known.reset(position)
    known.confirmPosition([EVERYTHING], versionBefore, position)
    received = position
    client = next
    isServerUnreachable = false
    delay = RECONNECT.first
    if (hasUnannounced) announceEverything()
  }

  /** Checks the connection, and whether a listening process has ended: it may have committed without announcing it. */
  async function checkListeners(listener: pg.Client) {
    try {
      const result = await listener.query<{ pids: string; position: string }>(LISTENERS)
      const pids = result.rows[0]?.pids ?? ''
      if (pids !== listeners) known.noteOtherWrite([EVERYTHING], positionOf(result))
      listeners = pids
    } catch {
      return onConnectionLost(listener)
    }
    if (hasUnannounced || announcementsLeft > 0) announceEverything()
    announcementsLeft = Math.max(0, announcementsLeft - 1)
  }

  /** Returns a position after everything that was announced; null when the announcement failed. */
  async function announceNow(tables: ReadonlySet<string>): Promise<number | null> {
    const versionBefore = known.globalVersion()
    const list = [...tables].map((table) => `\n${table}`).join('')
    const origin = siblings ? `${sender} ${siblings.beginAnnouncement()}` : sender
    const fits = Buffer.byteLength(list) + Buffer.byteLength(origin) < PAYLOAD_LIMIT
    const query = { text: ANNOUNCE, values: [origin, fits ? list : `\n${EVERYTHING}`] }
    const listener = client
    try {
      const sent = listener?.query(query).catch(() => pool.query(query)) ?? pool.query(query)
      const position = positionOf(await sent)
      known.confirmPosition(tables, versionBefore, position)
      announced = Math.max(announced, position)
      if (tables.has(EVERYTHING)) hasUnannounced = false
      siblings?.endAnnouncement(!hasUnannounced)
      return position
    } catch {
      if (tables.size > 0) hasUnannounced = true
      if (hasUnannounced) siblings?.endAnnouncement(false)
      return null
    }
  }

  /** Writes that end while an announcement is in progress share the next one. */
  const announce = coalesce(announceNow)

  const announceEverything = () => {
    known.noteOwnWrite([EVERYTHING])
    announce([EVERYTHING]).catch(() => {})
  }

  /** Resolves with the next notification, or when the connection is lost. */
  const nextNotification = () => new Promise<void>((resolve) => waiting.push(resolve))

  async function waitForSiblings() {
    while (client && siblings?.state() === 'behind') await nextNotification()
  }

  const canTrustVersions = () => client !== null && siblings?.state() !== 'unknown'

  await connect()
  const heartbeat = setInterval(() => {
    if (client) void checkListeners(client)
  }, HEARTBEAT)
  heartbeat.unref()

  return {
    tableVersion: (table: string) => (canTrustVersions() ? known.tableVersion(table) : known.unusedVersion()),
    globalVersion: () => (canTrustVersions() ? known.globalVersion() : known.unusedVersion()),
    /** Changes the versions of the tables of a write that has just been committed. */
    noteWrite: known.noteOwnWrite,
    announce,
    /** Called when it is unknown whether a write was committed. */
    noteUnknownOutcome() {
      announcementsLeft = REPEATED_ANNOUNCEMENTS
      announceEverything()
    },
    /** Whether the server did not respond to the last attempt to connect. */
    isUnreachable: () => isServerUnreachable,
    /** The position that a replica must have replayed to show these tables as this process knows them. */
    requiredPosition: (tables: readonly string[]) =>
      client ? known.requiredPosition(tables) : UNKNOWN_POSITION,
    /** The position that a replica must have replayed to show every acknowledged write that this process knows of. */
    acknowledgedPosition: () => Math.max(announced, received),
    /** A position after every acknowledged write of this process; null when there is none. */
    latest: () => (announced === 0 ? null : positionText(announced)),
    /** Resolves when this process knows of every write, anywhere, that was acknowledged with this position. */
    async waitFor(text: string) {
      const position = parsePosition(text)
      if (position === null || position <= received) return
      // Announcements arrive in order: when one made now is received, so are all before it.
      const now = await announce([])
      if (now === null) throw errors.unavailable(1, 'Database unavailable')
      while (client && received < now) await nextNotification()
      received = Math.max(received, now)
    },
    /** Resolves when every write that a sibling process has acknowledged is known here; null when it is already. */
    catchUp: (): Promise<void> | null =>
      client && siblings?.state() === 'behind' ? waitForSiblings() : null,
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
  if (position === null) throw new Error('The server did not report its position')
  return position
}

/** Runs `send` for one set of names at a time; the names of calls made meanwhile are sent together afterwards. */
function coalesce<Result>(send: (names: ReadonlySet<string>) => Promise<Result>) {
  let collected = new Set<string>()
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | null = null
  return (names: Iterable<string>): Promise<Result> => {
    for (const name of names) collected.add(name)
    next ??= current.then(() => {
      const sent = collected
      collected = new Set()
      next = null
      const sending = send(sent)
      current = sending
      return sending
    })
    return next
  }
}
