/**
 * How long the log is, read from its file: a pragma could tell, but only SQLite 3.51 and later without moving the log
 * into the database, which takes long. The form is that of https://www.sqlite.org/fileformat2.html#walformat: a header,
 * then pages, each with a header of its own. Both carry two numbers (salts) that change when the log begins again at its
 * start, so a page belongs to the log as it is now when its salts are those of the header.
 */
import { readSync } from 'node:fs'

export interface LogLength {
  /** Whether there are so many pages in the log that it should be emptied. */
  isLong(): boolean
  /** The first so many pages are in the database by now. */
  emptied(moved: number): void
  /** It could not be emptied; to be tried again when it has grown by as much once more. */
  failed(): void
}

const HEADER = 32
const PAGE_HEADER = 24
const PAGE_SIZE_AT = 8
const SALTS_AT = 16
const PAGE_SALTS_AT = 8

/** Follows the log in an open file, which is long when `most` of its pages are still to be moved. */
export function followLength(file: number, most: number): LogLength {
  const header = Buffer.alloc(HEADER)
  const page = Buffer.alloc(PAGE_HEADER)
  let salts = 0n
  let longFrom = most

  /** Fewer bytes than asked for mean that the log does not reach as far. */
  const reads = (into: Buffer, position: number) =>
    readSync(file, into, 0, into.length, position) === into.length

  /** Whether there is a log. One that has begun again has nothing in it that was moved. */
  function look(): boolean {
    if (!reads(header, 0)) return false
    const now = header.readBigUInt64BE(SALTS_AT)
    if (now !== salts) longFrom = most
    salts = now
    return true
  }

  return {
    isLong() {
      if (!look()) return false
      const each = PAGE_HEADER + header.readUInt32BE(PAGE_SIZE_AT)
      return reads(page, HEADER + (longFrom - 1) * each) && page.readBigUInt64BE(PAGE_SALTS_AT) === salts
    },
    emptied(moved) {
      look()
      longFrom = moved + most
    },
    failed() {
      longFrom += most
    },
  }
}
