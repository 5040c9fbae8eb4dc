/**
 * How the processes of one server learn of each other's writes in time. A PostgreSQL notification may still be on its
 * way when the client's next request reaches another process. So each process counts its announcements in a small
 * shared file, before it acknowledges the write.
 */
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { basename } from 'node:path'

export interface SiblingProcesses {
  /** Whether the previous process in this slot has left a write that it could not announce. */
  readonly hasUnannounced: boolean
  /** Returns the mark by which siblings recognize the announcement. */
  beginAnnouncement(): string
  /** Siblings see the announcement, or that it failed, when this returns. */
  endAnnouncement(hasSucceeded: boolean): void
  /** Notes that the announcement with this mark has been received; the marks of other servers are ignored. */
  noteReceived(mark: string): void
  noteAllReceived(): void
  /** Whether all announcements of siblings have been received; `unknown` when one could not announce a write. */
  state(): 'current' | 'behind' | 'unknown'
  close(): void
}

const WIDTH = Float64Array.BYTES_PER_ELEMENT
/** Added to the count of a process that has a write it could not announce. */
const UNANNOUNCED = 0.5

/** Creates the file with a slot for each process; its name must be unique. */
export const createSiblingsFile = (path: string, slots: number): void =>
  writeFileSync(path, new Float64Array(slots), { mode: 0o600 })

/** Opens the file for the process in this slot. */
export function openSiblingsFile(path: string, slot: number): SiblingProcesses {
  const file = openSync(path, 'r+')
  const serverName = basename(path)
  const own = new Float64Array(1)
  let counts = readCounts(file)
  const received = new Float64Array(counts.length)
  let isFresh = false

  const write = (count: number) => {
    own[0] = count
    writeSync(file, own, 0, WIDTH, slot * WIDTH)
  }
  // Continues with the count of the previous process in this slot.
  const previous = counts[slot] ?? 0
  let count = Math.ceil(previous)

  /** Reads the file once per callback of the event loop: no request that it handles has started later. */
  function refresh() {
    if (isFresh) return
    isFresh = true
    process.nextTick(() => {
      isFresh = false
    })
    readSync(file, counts, 0, counts.byteLength, 0)
  }

  return {
    hasUnannounced: !Number.isInteger(previous),
    beginAnnouncement() {
      count++
      return `${serverName}#${slot}#${count}`
    },
    endAnnouncement: (hasSucceeded) => write(hasSucceeded ? count : count + UNANNOUNCED),
    noteReceived(mark) {
      const [server, from, number] = mark.split('#')
      const index = Number(from)
      if (server === serverName) received[index] = Math.max(received[index] ?? 0, Number(number))
    },
    noteAllReceived() {
      counts = readCounts(file)
      for (const [index, number] of counts.entries()) received[index] = Math.floor(number)
    },
    state() {
      refresh()
      let isBehind = false
      for (let index = 0; index < counts.length; index++) {
        if (index === slot) continue
        const number = counts[index] ?? 0
        if (!Number.isInteger(number)) return 'unknown'
        if (number > (received[index] ?? 0)) isBehind = true
      }
      return isBehind ? 'behind' : 'current'
    },
    close: () => closeSync(file),
  }
}

function readCounts(file: number): Float64Array {
  const bytes = Buffer.alloc(1 << 16)
  const length = readSync(file, bytes, 0, bytes.length, 0)
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + length))
}
