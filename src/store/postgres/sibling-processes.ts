/**
 * What the processes of one server know of each other at once: a small file in which each counts its announcements. A
 * notification of PostgreSQL may still be on its way when the next request arrives at another process; the count is
 * there before the write is acknowledged.
 */
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { basename } from 'node:path'

export interface SiblingProcesses {
  /** Whether the process that had this place before has left something that it could not announce. */
  readonly hasUnannounced: boolean
  /** Begins an announcement: what it carries so that the others recognize it. */
  beginAnnouncement(): string
  /** The announcement that was begun last is made, or failed; the others see it when this returns. */
  endAnnouncement(isMade: boolean): void
  /** Notes that the announcement with this mark has arrived, if it is one of a sibling. */
  noteReceived(mark: string): void
  /** Counts everything that was announced so far as arrived. */
  noteAllReceived(): void
  /** Whether what the others have announced has all arrived; `unknown` when one could not announce what it wrote. */
  state(): 'heard' | 'behind' | 'unknown'
  close(): void
}

const WIDTH = Float64Array.BYTES_PER_ELEMENT
/** Between two numbers lies what was written but could not be announced. */
const UNTOLD = 0.5

/** Makes a file with so many places; its name must be like no other's. */
export const createSiblingsFile = (path: string, places: number): void =>
  writeFileSync(path, new Float64Array(places), { mode: 0o600 })

/** Opens a file for the process that has this place in it. */
export function openSiblingsFile(path: string, place: number): SiblingProcesses {
  const file = openSync(path, 'r+')
  const family = basename(path)
  const own = new Float64Array(1)
  let counts = readAll(file)
  const arrived = new Float64Array(counts.length)
  let fresh = false

  const write = (count: number) => {
    own[0] = count
    writeSync(file, own, 0, WIDTH, place * WIDTH)
  }
  // Goes on where whoever had the place before has stopped, told or untold.
  const former = counts[place] ?? 0
  let count = Math.ceil(former)

  /** One look serves all the questions of a callback: no request that it works on has begun later. */
  function look() {
    if (fresh) return
    fresh = true
    process.nextTick(() => {
      fresh = false
    })
    readSync(file, counts, 0, counts.byteLength, 0)
  }

  return {
    hasUnannounced: !Number.isInteger(former),
    beginAnnouncement() {
      count++
      return `${family}#${place}#${count}`
    },
    endAnnouncement: (isMade) => write(isMade ? count : count + UNTOLD),
    noteReceived(mark) {
      const [of, from, number] = mark.split('#')
      const index = Number(from)
      if (of === family) arrived[index] = Math.max(arrived[index] ?? 0, Number(number))
    },
    noteAllReceived() {
      counts = readAll(file)
      for (const [index, number] of counts.entries()) arrived[index] = Math.floor(number)
    },
    state() {
      look()
      let behind = false
      for (let index = 0; index < counts.length; index++) {
        if (index === place) continue
        const number = counts[index] ?? 0
        if (!Number.isInteger(number)) return 'unknown'
        if (number > (arrived[index] ?? 0)) behind = true
      }
      return behind ? 'behind' : 'heard'
    },
    close: () => closeSync(file),
  }
}

function readAll(file: number): Float64Array {
  const bytes = Buffer.alloc(1 << 16)
  const length = readSync(file, bytes, 0, bytes.length, 0)
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + length))
}
