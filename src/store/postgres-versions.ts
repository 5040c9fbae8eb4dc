/**
 * Versions of tables on PostgreSQL. This process bumps what it writes; other processes tell what they wrote with
 * NOTIFY, inside their transaction. While nobody listens, every question gets a new number, so nothing stale is served.
 */
import pg from 'pg'
import type { Row, Statement } from './store.ts'

const CHANNEL = 'octavo_versions'
/** PostgreSQL's bound on what a notification carries, and what stands for more tables than fit in it. */
const PAYLOAD_LIMIT = 8000
const EVERYTHING = '*'
const HEARTBEAT = 5_000
const RECONNECT = { first: 100, most: 5_000 }

/** Starts to listen; resolves when the first connection listens. */
export async function listenForVersions(config: pg.ClientConfig) {
  const bumped = new Map<string, number>()
  const sender = `${process.pid}.${Math.random().toString(36).slice(2)}`
  let tick = 1
  let everything = 1
  let listening = false
  let closed = false
  let client: pg.Client | null = null
  let delay = RECONNECT.first
  let timer: NodeJS.Timeout | null = null

  const bump = (tables: Iterable<string>) => {
    for (const table of tables) bumped.set(table, ++tick)
  }

  const bumpEverything = () => {
    everything = ++tick
    bumped.clear()
  }

  const lost = (former: pg.Client) => {
    if (client !== former) return
    client = null
    listening = false
    former.end().catch(() => {})
    schedule()
  }

  const schedule = () => {
    if (closed) return
    timer = setTimeout(() => void connect().catch(schedule), delay)
    timer.unref()
    delay = Math.min(delay * 2, RECONNECT.most)
  }

  async function connect() {
    const next = new pg.Client({ ...config, application_name: 'octavo listener', query_timeout: HEARTBEAT })
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', ({ payload = '' }) => {
      const [from, ...tables] = payload.split('\n')
      if (from === sender) return
      if (tables[0] === EVERYTHING) bumpEverything()
      else bump(tables)
    })
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
    listening = true
    delay = RECONNECT.first
  }

  await connect()
  const heartbeat = setInterval(() => {
    const asked = client
    asked?.query('SELECT 1').catch(() => lost(asked))
  }, HEARTBEAT)
  heartbeat.unref()

  return {
    of: (table: string) => (listening ? (bumped.get(table) ?? everything) : ++tick),
    bump,
    /** Tells the other processes, when and only when the transaction commits. */
    async notify(all: (statement: Statement) => Promise<readonly Row[]>, tables: Iterable<string>) {
      const payload = [sender, ...tables].join('\n')
      const fitting = Buffer.byteLength(payload) < PAYLOAD_LIMIT ? payload : `${sender}\n${EVERYTHING}`
      await all({ sql: 'SELECT pg_notify($1, $2)', parameters: [CHANNEL, fitting] })
    },
    async close() {
      closed = true
      clearInterval(heartbeat)
      if (timer) clearTimeout(timer)
      const last = client
      client = null
      listening = false
      await last?.end().catch(() => {})
    },
  }
}
