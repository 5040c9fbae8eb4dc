/**
 * Announcements to other processes: after each commit, this process announces with NOTIFY which tables it has written, and up to
 * which position of the log. NOTIFY inside the transaction would make commits wait for each other.
 */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { coalesce } from './coalesce.ts'
import { type createKnownVersions, EVERYTHING, UNACKNOWLEDGED } from './known-versions.ts'
import type { SiblingProcesses } from './sibling-processes.ts'
import { ANNOUNCE, positionOf } from './statements.ts'

/** PostgreSQL's limit for a notification, minus room for the position. */
const PAYLOAD_LIMIT = 8000 - 20

export interface AnnouncementsOptions {
  readonly known: ReturnType<typeof createKnownVersions>
  /** The connection that listens or looks for writes; null while it is broken. */
  readonly listener: () => pg.Client | null
  /** Makes announcements when that connection is broken. */
  readonly pool: pg.Pool
  /** False behind a transaction pooler. */
  readonly canListen: boolean
  readonly siblings: SiblingProcesses | null
}

/** Whether an announcement of these tables follows writes that are then acknowledged. */
export const areAcknowledged = (tables: readonly string[]): boolean =>
  !tables.includes(UNACKNOWLEDGED) || tables.some((table) => table !== EVERYTHING && table !== UNACKNOWLEDGED)

export function createAnnouncements({ known, listener, pool, canListen, siblings }: AnnouncementsOptions) {
  const sender = randomUUID()
  /** A position after every acknowledged write. */
  let acknowledged = 0
  /** Whether a write could not be announced. */
  let hasUnannounced = siblings?.hasUnannounced ?? false
  let repetitions = 0

  /** Returns a position after everything that was announced; null when the announcement failed. */
  async function announceNow(tables: ReadonlySet<string>): Promise<number | null> {
    const versionBefore = known.globalVersion()
    const list = [...tables].map((table) => `\n${table}`).join('')
    const origin = siblings ? `${sender} ${siblings.beginAnnouncement()}` : sender
    const fits = Buffer.byteLength(list) + Buffer.byteLength(origin) < PAYLOAD_LIMIT
    const query = { text: ANNOUNCE, values: [origin, fits ? list : `\n${EVERYTHING}`] }
    try {
      // Behind a pooler that shares connections, a statement cannot be prepared.
      const sentHere = listener()?.query(canListen ? { ...query, name: 'octavo_announce' } : query)
      const sent = sentHere?.catch(() => pool.query(query)) ?? pool.query(query)
      const position = positionOf(await sent)
      known.confirmPosition(tables, versionBefore, position)
      if (areAcknowledged([...tables])) acknowledged = Math.max(acknowledged, position)
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

  function announceEverything() {
    known.noteOwnWrite([EVERYTHING])
    announce([EVERYTHING, UNACKNOWLEDGED]).catch(() => {})
  }

  return {
    /** How this process names itself in its announcements. */
    sender,
    announce,
    announceEverything,
    /** Each of the next `count` heartbeats announces that everything may have changed. */
    repeat(count: number) {
      repetitions = Math.max(repetitions, count)
    },
    noteHeartbeat() {
      if (hasUnannounced || repetitions > 0) announceEverything()
      repetitions = Math.max(0, repetitions - 1)
    },
    /** Called when this process has connected to a primary at this position, which may be another one than before. */
    noteConnected(position: number) {
      // A new primary may never have received what was announced last.
      acknowledged = Math.min(acknowledged, position)
      if (hasUnannounced) announceEverything()
    },
    /** A position after every acknowledged write of this process; 0 when there is none. */
    acknowledgedPosition: () => acknowledged,
  }
}
