/**
 * Table versions across processes. Each process announces its writes (announcements.ts) and listens to the others; a
 * write that cannot be announced is not acknowledged. While this process cannot listen, every version it gives out is a
 * new one, so that nothing cached counts as current. Behind a transaction pooler a process cannot listen: it looks for
 * writes regularly, and then any table may have changed.
 */
import pg from 'pg'
import { errors } from '../../../errors.ts'
import { StartError } from '../../errors.ts'
import { isUnreachable, POOLER_HINT } from '../failures.ts'
import { type AnnouncementsOptions, areAcknowledged, createAnnouncements } from './announcements.ts'
import { createKnownVersions, EVERYTHING } from './known-versions.ts'
import { parsePosition, positionText, UNKNOWN_POSITION } from './position.ts'
import {
  ANNOUNCE,
  hasEnded,
  LISTEN,
  LISTENER,
  type ListenersState,
  listenersQuery,
  NO_LISTENERS,
  POSITION,
  positionOf,
  SNAPSHOT,
} from './statements.ts'
import { createUnsettledCommits } from './unsettled-commits.ts'

const HEARTBEAT = 3_000
/** The milliseconds after which a process that cannot listen knows of the writes of others. */
const POLL_INTERVAL = 1_000
const RECONNECT = { first: 100, most: 1_000 }
/**
 * How many heartbeats announce that everything may have changed after a commit of unknown outcome: the server may
 * finish the commit some time after this process has lost the connection.
 */
const REPEATED_ANNOUNCEMENTS = 2
/** Milliseconds in which a notification arrives through a pooler that does not share connections. */
const POOLER_TIMEOUT = 1_000

interface ServerState {
  readonly snapshot: string
  readonly pid: number
  readonly position: string
}

export interface VersionsOptions extends Pick<AnnouncementsOptions, 'pool' | 'canListen' | 'siblings'> {
  /** The configuration of the connection that listens or looks for writes. */
  readonly config: () => pg.ClientConfig
  /** Finds the server that accepts writes, before each attempt to connect; rejects if there is none. */
  readonly findPrimary: () => Promise<void>
  /** Called when the server stops responding. */
  readonly onUnreachable: () => void
}

/** Resolves when the first connection listens. */
export async function followVersions(options: VersionsOptions) {
  const { pool, canListen, onUnreachable, siblings } = options
  const known = createKnownVersions()
  const announcements = createAnnouncements({ known, listener: () => client, pool, canListen, siblings })
  const { announce, announceEverything, sender } = announcements
  /** All announcements up to this position have been received. */
  let received = 0
  /** Every write that others have acknowledged, and this process knows of, is before this position. */
  let acknowledged = 0
  let waiting: (() => void)[] = []
  let client: pg.Client | null = null
  let isServerUnreachable = false
  let connections = 0
  let listeners = ''
  let snapshot = ''
  /** How often a process that cannot listen has caught up with its siblings. */
  let catchUps = 0
  const unsettled = createUnsettledCommits()
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
    if (position !== null) noteReceived(position, areAcknowledged(tables))
    siblings?.noteReceived(mark)
    wake()
  }

  const noteReceived = (position: number, isAcknowledged: boolean) => {
    received = Math.max(received, position)
    if (isAcknowledged) acknowledged = Math.max(acknowledged, position)
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
    await options.findPrimary()
    const config = options.config()
    const next = new pg.Client({
      ...config,
      ...(canListen && {
        application_name: LISTENER,
        // It stores nothing, so a notification need not wait for the disk.
        options: `${config.options ?? ''} -c synchronous_commit=off`,
      }),
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
      if (canListen) await next.query(LISTEN)
      // Before the position is read: what siblings announce later is received, or noticed as missing.
      siblings?.noteAllReceived()
      const state = await next.query<ServerState>(SNAPSHOT)
      if (canListen && state.rows[0]?.pid !== Reflect.get(next, 'processID')) await expectNotification(next)
      snapshot = state.rows[0]?.snapshot ?? ''
      position = positionOf(state)
    } catch (error) {
      next.end().catch(() => {})
      throw error
    }
    if (closed) return next.end()
    // What others wrote while this process did not listen is unknown, but it is before this position.
    known.reset(position)
    known.confirmPosition([EVERYTHING], versionBefore, position)
    received = position
    acknowledged = position
    client = next
    connections++
    isServerUnreachable = false
    delay = RECONNECT.first
    unsettled.primaryChanged()
    announcements.noteConnected(position)
  }

  /** A pooler gives its connections other process ids. One that shares them between transactions loses notifications. */
  async function expectNotification(listener: pg.Client) {
    const arrived = new Promise<boolean>((resolve) => {
      listener.once('notification', () => resolve(true))
      setTimeout(resolve, POOLER_TIMEOUT, false)
    })
    await pool.query({ text: ANNOUNCE, values: [sender, ''] })
    if (!(await arrived)) throw new StartError(POOLER_HINT)
  }

  /** Any table may have changed if the snapshot has. */
  async function lookForWrites(looking: pg.Client) {
    try {
      const begun = catchUps
      // The snapshot shows what is before the position only if the position is older.
      const [earlier, state] = await Promise.all([
        looking.query<{ position: string }>(POSITION),
        looking.query<ServerState>(SNAPSHOT),
      ])
      // It may have begun before the write of a sibling that was noticed meanwhile.
      if (begun !== catchUps) return
      noteReceived(positionOf(earlier), true)
      if (state.rows[0]?.snapshot === snapshot) return
      snapshot = state.rows[0]?.snapshot ?? ''
      known.reset(positionOf(state))
    } catch {
      onConnectionLost(looking)
    }
  }

  /** Checks the connection, and whether a listening process has ended: it may have committed without announcing it. */
  async function checkListeners(listener: pg.Client) {
    try {
      const result = await listener.query<ListenersState>(listenersQuery(unsettled.needsNewest()))
      const [{ pids, oldest, newest } = NO_LISTENERS] = result.rows
      if (pids !== listeners) {
        known.noteOtherWrite([EVERYTHING], positionOf(result))
        // A commit of a process that has ended may still wait for a standby.
        if (hasEnded(listeners, pids)) unsettled.add()
      }
      listeners = pids
      if (unsettled.mayHaveEnded(BigInt(oldest), newest === null ? null : BigInt(newest)))
        announcements.repeat(1)
    } catch {
      return onConnectionLost(listener)
    }
    announcements.noteHeartbeat()
  }

  /** Resolves with the next notification, or when the connection is lost. */
  const nextNotification = () => new Promise<void>((resolve) => waiting.push(resolve))

  /** The notifications of siblings arrive, or are not needed: everything counts as changed. */
  function catchUpWithSiblings(): Promise<void> | null {
    if (canListen) return waitForSiblings()
    catchUps++
    siblings?.noteAllReceived()
    known.noteOtherWrite([EVERYTHING], UNKNOWN_POSITION)
    // Sets the position again.
    snapshot = ''
    return null
  }

  async function waitForSiblings() {
    while (client && siblings?.state() === 'behind') await nextNotification()
  }

  const canTrustVersions = () => client !== null && siblings?.state() !== 'unknown'

  await connect()
  const heartbeat = setInterval(
    () => {
      if (client) void (canListen ? checkListeners : lookForWrites)(client)
      if (!canListen) announcements.noteHeartbeat()
    },
    canListen ? HEARTBEAT : POLL_INTERVAL,
  )
  heartbeat.unref()

  return {
    tableVersion: (table: string) => (canTrustVersions() ? known.tableVersion(table) : known.unusedVersion()),
    globalVersion: () => (canTrustVersions() ? known.globalVersion() : known.unusedVersion()),
    /** Changes the versions of the tables of a write that has just been committed. */
    noteWrite: known.noteOwnWrite,
    announce,
    /** Called when it is unknown whether a write was committed. */
    noteUnknownOutcome() {
      announcements.repeat(REPEATED_ANNOUNCEMENTS)
      unsettled.add()
      announceEverything()
    },
    /** Connects anew, because the server has turned out to accept no writes. */
    reconnect() {
      if (client) onConnectionLost(client)
    },
    /** Whether the server did not respond to the last attempt to connect. */
    isUnreachable: () => isServerUnreachable,
    /** How often this process has connected. */
    connections: () => connections,
    /** The position that a replica must have replayed to show these tables as this process knows them. */
    requiredPosition: (tables: readonly string[]) =>
      client ? known.requiredPosition(tables) : UNKNOWN_POSITION,
    /** The position that a replica must have replayed to show every acknowledged write that this process knows of. */
    acknowledgedPosition: () => Math.max(announcements.acknowledgedPosition(), acknowledged),
    /** A position after every acknowledged write of this process; null when there is none. */
    latest() {
      const position = announcements.acknowledgedPosition()
      return position === 0 ? null : positionText(position)
    },
    /** Resolves when this process knows of every write, anywhere, that was acknowledged with this position. */
    async waitFor(text: string) {
      const position = parsePosition(text)
      if (position === null || position <= received) return
      if (!canListen && client) return lookForWrites(client)
      // Announcements arrive in order: when one made now is received, so are all before it.
      const now = await announce([])
      if (now === null) throw errors.unavailable(1, 'Database unavailable')
      while (client && received < now) await nextNotification()
      noteReceived(now, true)
    },
    /** Resolves when every write that a sibling process has acknowledged is known here; null when it is already. */
    catchUp: (): Promise<void> | null =>
      client && siblings?.state() === 'behind' ? catchUpWithSiblings() : null,
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
