/**
 * What this process knows about the writes to each table: a version, which changes with every write, and the position
 * in the log (WAL) that a replica must have replayed before it may serve reads of the table. Does no I/O.
 */
import { META_TABLE } from '../../migration/meta-table.ts'
import { UNKNOWN_POSITION } from './position.ts'

/** Stands for all tables. */
export const EVERYTHING = '*'

/** Announced with `EVERYTHING` when no write was acknowledged, but one of unknown outcome may have become visible. */
export const UNACKNOWLEDGED = '?'

interface TableWrite {
  version: number
  /** The position of the last announced write, or one after it. */
  position: number
  /** The version of this process's last write whose position is not known yet; 0 if there is none. */
  pending: number
}

const noWrite = (): TableWrite => ({ version: 1, position: 0, pending: 0 })

const requiredFor = ({ position, pending }: TableWrite) => (pending > 0 ? UNKNOWN_POSITION : position)

export function createKnownVersions() {
  let tables = new Map<string, TableWrite>()
  let everything = noWrite()
  let latest = 1

  /** Single tables are forgotten, unless they need a later position than all tables do. */
  function changeEverything(position: number, isPending: boolean) {
    const version = ++latest
    everything = { version, position, pending: isPending ? version : everything.pending }
    tables = new Map(
      [...tables]
        .filter(([, write]) => requiredFor(write) > position)
        .map(([table, write]) => [table, { ...write, version }]),
    )
  }

  function change(table: string, position: number, isPending: boolean) {
    if (table === EVERYTHING) return changeEverything(Math.max(everything.position, position), isPending)
    let write = tables.get(table)
    if (!write) {
      write = noWrite()
      tables.set(table, write)
    }
    write.version = ++latest
    write.position = Math.max(write.position, position)
    if (isPending) write.pending = latest
  }

  function confirm(write: TableWrite, upTo: number, position: number) {
    if (write.pending === 0 || write.pending > upTo) return
    write.pending = 0
    write.position = Math.max(write.position, position)
  }

  return {
    /** Changes with every write to the table. */
    tableVersion: (table: string) => tables.get(table)?.version ?? everything.version,
    /** Changes with every write. */
    globalVersion: () => latest,
    /** A number that was never used before, for when the real version is unknown. */
    unusedVersion: () => ++latest,
    /** The position that a replica must have replayed to show every known write to these tables and to the model. */
    requiredPosition(names: readonly string[]): number {
      let position = requiredFor(everything)
      const model = tables.get(META_TABLE)
      if (model) position = Math.max(position, requiredFor(model))
      for (const name of names) {
        const write = tables.get(name)
        if (write) position = Math.max(position, requiredFor(write))
      }
      return position
    },
    /** This process has written; `confirmPosition` follows when the position is known. */
    noteOwnWrite(names: Iterable<string>) {
      for (const name of names) change(name, 0, true)
    },
    /** Another process has written. */
    noteOtherWrite(names: Iterable<string>, position: number) {
      for (const name of names) change(name, position, false)
    },
    /** The writes of this process to these tables, up to a global version, are all before this position. */
    confirmPosition(names: Iterable<string>, upTo: number, position: number) {
      for (const name of names) {
        const write = tables.get(name)
        if (write) confirm(write, upTo, position)
        if (name !== EVERYTHING) continue
        confirm(everything, upTo, position)
        for (const each of tables.values()) confirm(each, upTo, position)
      }
    },
    /** Any table may have changed, up to this position; earlier positions no longer count. */
    reset(position: number) {
      changeEverything(position, false)
    },
  }
}
