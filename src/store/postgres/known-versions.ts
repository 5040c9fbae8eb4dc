/**
 * What this process knows of the writes to each table: a version, which tells whether something read before is still
 * right, and a position, which tells how far a replica must have come to be asked. Nothing here talks to a server.
 */
import { META_TABLE } from '../migration/meta-table.ts'
import { UNKNOWN_POSITION } from './position.ts'

/** Stands for all tables. */
export const EVERYTHING = '*'

interface Write {
  version: number
  /** Where the last write that others told of lies, or lies before. */
  position: number
  /** The moment of this process's last write whose position is not known yet; 0 when there is none. */
  pending: number
}

const nothing = (): Write => ({ version: 1, position: 0, pending: 0 })

const needed = ({ position, pending }: Write) => (pending > 0 ? UNKNOWN_POSITION : position)

export function createKnown() {
  let tables = new Map<string, Write>()
  let everything = nothing()
  let tick = 1

  /** A change of all tables makes what is known of single ones needless, unless it is newer. */
  function changeEverything(position: number, isPending: boolean) {
    const version = ++tick
    everything = { version, position, pending: isPending ? tick : everything.pending }
    tables = new Map(
      [...tables]
        .filter(([, write]) => needed(write) > position)
        .map(([table, write]) => [table, { ...write, version }]),
    )
  }

  function change(table: string, position: number, isPending: boolean) {
    if (table === EVERYTHING) return changeEverything(Math.max(everything.position, position), isPending)
    let write = tables.get(table)
    if (!write) {
      write = nothing()
      tables.set(table, write)
    }
    write.version = ++tick
    write.position = Math.max(write.position, position)
    if (isPending) write.pending = tick
  }

  function settle(write: Write, moment: number, position: number) {
    if (write.pending === 0 || write.pending > moment) return
    write.pending = 0
    write.position = Math.max(write.position, position)
  }

  return {
    /** A number that changes whenever the table does. */
    versionOf: (table: string) => tables.get(table)?.version ?? everything.version,
    /** A number that was never given before, for when nobody can tell what has changed. */
    newVersion: () => ++tick,
    /** The position from which on a replica shows every known write to these tables, and the model they belong to. */
    neededFor(names: readonly string[]): number {
      let position = needed(everything)
      const model = tables.get(META_TABLE)
      if (model) position = Math.max(position, needed(model))
      for (const name of names) {
        const write = tables.get(name)
        if (write) position = Math.max(position, needed(write))
      }
      return position
    },
    /** This process has written; the position becomes known by `settle`. */
    wrote(names: Iterable<string>) {
      for (const name of names) change(name, 0, true)
    },
    /** Another process has written. */
    heard(names: Iterable<string>, position: number) {
      for (const name of names) change(name, position, false)
    },
    /** The present moment, to be given to `settle` once the position is known that was asked for after it. */
    moment: () => tick,
    /** What this process wrote to the tables up to a moment lies before a position. */
    settle(names: Iterable<string>, moment: number, position: number) {
      for (const name of names) {
        const write = tables.get(name)
        if (write) settle(write, moment, position)
        if (name !== EVERYTHING) continue
        settle(everything, moment, position)
        for (const each of tables.values()) settle(each, moment, position)
      }
    },
    /** Anything may have changed, all of it before this position, whatever was known of positions before. */
    startAnew(position: number) {
      changeEverything(position, false)
    },
  }
}
